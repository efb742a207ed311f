/** The lobby's tables as they are now: over a socket for those who are signed in, else asked for now and then. */
import * as api from "../lib/api";
import { Connection } from "../lib/connection.svelte";
import { errorSentence } from "../lib/errorText";
import type { FromServer, LayoutCard, TableShort } from "../lib/wire";

const RECONNECT_LIMIT = 8000; // ms between two attempts
const ASK = 5000; // ms between two requests without a socket, which a visitor who is not signed in does not have

export class LobbyTables {
  tables = $state.raw<TableShort[]>([]);
  cards = $state.raw<LayoutCard[]>([]); // one per game and per layout of an open table
  error = $state("");

  private layouts: string[] = []; // that stand for the games
  private rulesOf: Record<string, string> = {}; // of the cards, by layout
  private connection: Connection | null = null;
  private clock: ReturnType<typeof setInterval> | undefined;
  private loading: Promise<unknown> = Promise.resolve();
  private ended = false;

  constructor(signedIn: boolean) {
    void this.begin(signedIn);
  }

  /** The open table of a layout, one with a free seat if there is one. */
  tableOf(card: LayoutCard): TableShort | undefined {
    const open = this.tables.filter((table) => table.layout === card.slug && table.open);
    return open.find((table) => table.free) ?? open[0];
  }

  end(): void {
    this.ended = true;
    clearInterval(this.clock);
    this.connection?.end();
  }

  private async begin(signedIn: boolean): Promise<void> {
    try {
      const [games, tables] = await Promise.all([api.games(), api.lobby()]);
      // A game's own layout stands for it, or else its first one.
      const slugs = games.map((game) => (game.layouts.includes(game.slug) ? game.slug : (game.layouts[0] ?? "")));
      this.layouts = slugs.filter(Boolean);
      this.take(tables, true);
    } catch (error) {
      this.error = errorSentence(error);
    }
    if (this.ended) return;
    if (signedIn)
      this.connection = new Connection(
        () => this.connection?.send(JSON.stringify({ type: "lobby" })),
        (message) => this.receive(message),
        RECONNECT_LIMIT,
      );
    this.clock = setInterval(() => void this.askWithoutSocket(), ASK);
  }

  private async askWithoutSocket(): Promise<void> {
    if (this.connection?.connected) return;
    try {
      this.take(await api.lobby(), true);
    } catch {
      // asked again soon
    }
  }

  private receive(message: FromServer): void {
    if (message.type === "lobby") this.take(message.tables, message.whole ?? false);
  }

  private take(lines: TableShort[], whole: boolean): void {
    const changed = lines.map((line) => line.table);
    const others = whole ? [] : this.tables.filter((table) => !changed.includes(table.table));
    this.tables = [...others, ...lines].sort((a, b) => (a.table < b.table ? -1 : 1)); // as the service sorts them
    this.loading = this.loading
      .then(() => this.loadCards())
      .then(() => (this.error = ""))
      .catch((error: unknown) => (this.error = this.cards.length ? "" : errorSentence(error))); // tried again soon
  }

  /** Loads the cards of layouts that are new, or whose table plays by other rules now. */
  private async loadCards(): Promise<void> {
    const open = this.tables.filter((table) => table.open).map((table) => table.layout ?? "");
    const slugs = [...this.layouts, ...open].filter((slug, at, all) => slug && all.indexOf(slug) === at);
    const rules = (slug: string) => this.tables.find((table) => table.layout === slug && table.open)?.rules ?? "";
    const loaded: Record<string, LayoutCard> = Object.fromEntries(this.cards.map((card) => [card.slug, card]));
    const stale = slugs.filter((slug) => !loaded[slug] || this.rulesOf[slug] !== rules(slug));
    if (!stale.length && this.cards.length === slugs.length) return;
    await Promise.all(
      stale.map(async (slug) => {
        const wanted = rules(slug);
        loaded[slug] = await api.layout(slug, wanted);
        this.rulesOf[slug] = wanted;
      }),
    );
    this.cards = slugs.flatMap((slug) => loaded[slug] ?? []);
  }
}
