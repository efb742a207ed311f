/** The staff's live data over one socket: a line per table and jackpot, and the chosen table in full. */
import { problemText } from "../lib/codes";
import { Connection } from "../lib/connection.svelte";
import { PostedCard } from "../lib/postedCard.svelte";
import type { FromServer, GameEvent, JackpotLine, LayoutCard, Signs, TableLine, TableView } from "../lib/wire";

const LONGEST = 8000; // ms between two attempts to connect
const MOST_FELTS = 100; // that the service sends
const STALE = 30_000; // ms without a message: the page may be out of date (the service sends one every five seconds)

export class LiveFeed {
  tables = $state.raw<TableLine[]>([]);
  jackpots = $state.raw<JackpotLine[]>([]);
  table = $state.raw<TableView | null>(null); // the chosen one
  events = $state.raw<GameEvent[]>([]); // the last of the chosen one
  ready = $state(false);
  stale = $state(false);
  refused = $state("");

  readonly connection: Connection;
  private posted = $state.raw<PostedCard | null>(null); // at the chosen table
  private off: Signs["off"] = {}; // the wagers that its jackpots stop
  private rows: Record<string, TableLine> = {};
  private meters: Record<string, JackpotLine> = {};
  private shown: readonly string[] = [];
  private heardAt = Date.now();
  private clock: ReturnType<typeof setInterval>;

  constructor(
    private readonly overview: "tables" | "jackpots" | "nothing",
    private chosen = "",
  ) {
    if (chosen) this.posted = new PostedCard(chosen);
    this.clock = setInterval(() => (this.stale = Date.now() - this.heardAt > STALE), 1000);
    this.connection = new Connection(
      () => this.begin(),
      (message) => this.take(message),
      LONGEST,
    );
  }

  /** Chooses the table that is received in full; "" for none. */
  choose(name: string): void {
    if (this.chosen === name) return;
    if (this.chosen) this.say({ type: "leave", table: this.chosen });
    this.chosen = name;
    this.table = null;
    this.events = [];
    this.refused = "";
    this.posted?.end();
    this.posted = name ? new PostedCard(name) : null;
    this.off = {};
    if (name) this.watch();
  }

  /** What is posted at the chosen table. */
  get card(): LayoutCard | null {
    return this.posted?.card ?? null;
  }

  /** Resolves once the card has what is posted now. */
  cardUpToDate(): Promise<void> {
    return this.posted?.upToDate() ?? Promise.resolve();
  }

  /** Resolves once the chosen table has reached a record, or after a second. */
  reaches(number: number): Promise<void> {
    const since = Date.now();
    return new Promise((done) => {
      const look = () => {
        if ((this.table?.number ?? 0) >= number || Date.now() - since > 1000) done();
        else setTimeout(look, 8);
      };
      look();
    });
  }

  /** Says which tables are in view: their lines come with their felts. */
  show(tables: readonly string[]): void {
    this.shown = tables.slice(0, MOST_FELTS);
    this.say({ type: "felts", tables: this.shown });
  }

  end(): void {
    clearInterval(this.clock);
    this.connection.end();
    this.posted?.end();
  }

  private say(message: object): void {
    this.connection.send(JSON.stringify(message));
  }

  private begin(): void {
    if (this.overview !== "nothing") this.say({ type: "overview", tables: this.overview === "tables" });
    if (this.shown.length) this.say({ type: "felts", tables: this.shown });
    if (this.chosen) this.watch();
  }

  private watch(): void {
    this.say({ type: "watch", table: this.chosen, shown: true });
  }

  private follow(): void {
    if (this.table) this.posted?.follow(this.table, this.off);
  }

  private take(message: FromServer): void {
    this.heardAt = Date.now();
    this.stale = false;
    switch (message.type) {
      case "overview":
        this.takeLines(message.tables, message.jackpots, message.whole ?? false);
        break;
      case "snapshot":
        if (message.table !== this.chosen) return;
        this.table = message.state;
        this.follow();
        break;
      case "events":
        if (message.table !== this.chosen) return;
        if (message.state) this.table = message.state;
        this.follow();
        this.events = [...this.events, ...(message.events as GameEvent[])].slice(-200);
        break;
      case "meters":
        if (message.table !== this.chosen) return;
        this.off = message.off;
        this.follow();
        break;
      case "problem":
        this.refused = problemText(message);
        break;
      default:
    }
  }

  private takeLines(tables: TableLine[], jackpots: JackpotLine[], complete: boolean): void {
    for (const row of tables) {
      if ((this.rows[row.table]?.number ?? -1) <= row.number) this.rows[row.table] = row;
    }
    for (const row of jackpots) {
      if ((this.meters[row.jackpot]?.number ?? -1) <= row.number) this.meters[row.jackpot] = row;
    }
    if (tables.length || complete) this.tables = sorted(Object.values(this.rows), (row) => row.table);
    if (jackpots.length || complete) this.jackpots = sorted(Object.values(this.meters), (row) => row.jackpot);
    if (complete) this.ready = true;
  }
}

const order = new Intl.Collator("en", { numeric: true });

function sorted<T>(rows: T[], name: (row: T) => string): T[] {
  return rows.sort((a, b) => order.compare(name(a), name(b)));
}
