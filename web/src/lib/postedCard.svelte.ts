/** The card of a table: what is posted there now. It is loaded again whenever that changes. */
import * as api from "./api";
import type { LayoutCard, Signs, TableView } from "./wire";

const RETRY = 1000; // ms

export class PostedCard {
  card = $state.raw<LayoutCard | null>(null);

  private posted = ""; // what the card was last loaded for
  private loading: Promise<void> = Promise.resolve();
  private lastRequest = 0; // only the answer to the last request is taken
  private retry: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly table: string,
    private readonly loaded: (card: LayoutCard) => void = () => {},
  ) {}

  /** Takes the table and the wagers that its jackpots stop; loads the card if what is posted differs. */
  follow(state: TableView, off: Signs["off"]): void {
    const { rules, posted_minimum, shuffled, shuffler, wagers } = state;
    const posted = JSON.stringify([rules, posted_minimum, shuffled, shuffler, wagers, off]);
    if (posted === this.posted) return;
    this.posted = posted;
    this.loading = this.load();
  }

  /** Resolves once the card was loaded for what was posted last, if it can be. */
  upToDate(): Promise<void> {
    return this.loading;
  }

  async load(): Promise<void> {
    clearTimeout(this.retry);
    const request = ++this.lastRequest;
    try {
      const card = await api.card(this.table);
      if (request !== this.lastRequest) return;
      this.card = card;
      this.loaded(card);
    } catch {
      if (request === this.lastRequest) this.retry = setTimeout(() => void this.load(), RETRY);
    }
  }

  end(): void {
    clearTimeout(this.retry);
    this.lastRequest += 1;
  }
}
