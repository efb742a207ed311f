/** The shoes of a table as a player follows them: published hashes, the player's number and cut, verified shoes. */
import * as api from "../lib/api";
import type { GameEvent, ShoeShort, TableView } from "../lib/wire";
import type { CheckedShoe } from "./shoeCheck";
import { ShoeWitness } from "./shoeWitness.svelte";

export interface Wish {
  number: string;
  place: number | null;
}

type Send = (command: { do: "cut"; player: string; words: string; place?: number }) => Promise<boolean>;

const DIGITS = 12;

export class TableShoes {
  readonly witness: ShoeWitness;
  checked = $state.raw<Record<number, CheckedShoe>>({});
  /** The finished shoe that was verified last. */
  last = $state(0);
  /** What the player adds to the next shuffle, until it is sent. */
  wish = $state.raw<Wish | null>(null);
  recent = $state.raw<ShoeShort[]>([]);
  /** Whether a new random number is added to every shoe. */
  every = $state(stored());
  private sending = false;

  constructor(
    private readonly table: string,
    private readonly player: string,
    private readonly send: Send,
  ) {
    this.witness = new ShoeWitness(player);
  }

  /** The hash of a shoe's key as it was published; empty if this browser does not know it. */
  hashOf(shoe: number): string {
    const seen = this.witness.shoes[shoe];
    return seen?.commitment || seen?.promise || "";
  }

  add(event: GameEvent): void {
    this.witness.add(event);
    if (event.event === "shoe-revealed" && event["cut"] !== null) void this.check(event["shoe"] as number);
  }

  /** A new state of the table; after a gap in the records, the hashes are read again. */
  follow(state: TableView, gap: boolean): void {
    if (gap) {
      this.witness.start(state.shoe.number, state.shoe.begun);
      void this.load();
    }
    if (!state.shoe.begun && Object.values(state.seats).includes(this.player)) void this.addWish();
  }

  /** The latest shoes of the table; without them the placard shows no hash. */
  async load(): Promise<void> {
    try {
      this.recent = await api.shoes(this.table);
      this.witness.published(this.recent);
    } catch {
      // the next shoe's hash comes with the events
    }
  }

  /** Adds the player's number, and their cut, to the next shuffle: at once, or when the shoe in play is over. */
  choose(wish: Wish, seated: boolean): void {
    this.wish = wish;
    if (seated) void this.addWish();
  }

  setEvery(every: boolean, seated: boolean): void {
    this.every = every;
    store(every);
    if (seated) void this.addWish();
  }

  private async addWish(): Promise<void> {
    const { current } = this.witness;
    if (this.witness.begun || this.sending) return;
    if (!this.wish && this.every && !this.numberIn(current)) this.wish = { number: randomNumber(), place: null };
    const wish = this.wish;
    if (!wish) return;
    this.sending = true;
    const place = wish.place === null ? {} : { place: wish.place };
    const added = await this.send({ do: "cut", player: this.player, words: wish.number, ...place });
    this.sending = false;
    if (added || !this.witness.begun) this.wish = null; // the shoe may have begun before: then it is for the next one
  }

  /** The number that this player added to a shoe's shuffle. */
  numberIn(shoe: number): string {
    return this.witness.shoes[shoe]?.number.slice(this.player.length + 1) ?? "";
  }

  /** Verifies a finished shoe; the verifier is loaded the first time. */
  async check(shoe: number): Promise<CheckedShoe> {
    const [{ checkShoe }, evidence] = await Promise.all([import("./shoeCheck"), api.shoe(this.table, shoe)]);
    const result = checkShoe(evidence, this.witness.shoes[shoe]);
    this.checked = { ...this.checked, [shoe]: result };
    this.last = Math.max(this.last, shoe);
    return result;
  }
}

const KEY = "upcard-number-in-every-shoe";

function stored(): boolean {
  try {
    return localStorage.getItem(KEY) !== null;
  } catch {
    return false;
  }
}

function store(every: boolean): void {
  try {
    if (every) localStorage.setItem(KEY, "yes");
    else localStorage.removeItem(KEY);
  } catch {
    // without storage it lasts until the page is closed
  }
}

/** Digits that nobody can guess. */
export function randomNumber(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(DIGITS)), (byte) => String(byte % 10)).join("");
}
