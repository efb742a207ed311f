/** A live table: hears its records over a socket, plays them on the felt one by one, and says commands. */
import * as api from "../lib/api";
import { Refused } from "../lib/api";
import * as bets from "./bets";
import { FloorCall } from "../lib/floorCall.svelte";
import { problemText } from "../lib/codes";
import { emptyFelt, feltOf, fold, type Felt } from "../lib/feltState";
import { Connection } from "../lib/connection.svelte";
import { settings } from "../lib/settings.svelte";
import { titlesOf, type Titles } from "../lib/titles";
import { sound } from "./sounds";
import type { Choice, Circle, FromServer, GameEvent, LayoutCard, Lying, Meters, Mine, TableView } from "../lib/wire";
import { eventText } from "../lib/eventText";

export interface LogLine {
  key: string;
  text: string;
}

type Heard = { number: number; events: GameEvent[]; state?: TableView | null; mine?: Mine | null };
type Waiting = { text: string; done: (number: number) => void; failed: (wrong: Refused) => void };

const MOST_LOG = 120;
const LONGEST = 3000; // ms between two tries to be heard
const PAUSES: Record<string, number> = {
  "card-dealt": 260,
  "dealer-card-dealt": 380,
  "hole-card-dealt": 260,
  "hole-revealed": 520,
  "dealer-peeked": 450,
  "hand-split": 260,
  slip: 120,
};

export class LiveTable {
  state = $state.raw<TableView | null>(null);
  card: LayoutCard; // as the table plays it now
  titles: Titles; // of the paytables of the round on the felt
  felt = $state.raw<Felt>(emptyFelt());
  choices = $state.raw<Choice[]>([]);
  bankroll = $state(0);
  bets = $state.raw<bets.Bets>(bets.NO_BETS);
  lying = $state.raw<Lying>({}); // chips of others that are not handed in yet
  meters = $state.raw<Meters>({});
  log = $state.raw<LogLine[]>([]);
  notice = $state("");
  playing = $state(false); // records are being played on the felt
  saying = $state(false);
  now = $state(Date.now());

  readonly connection: Connection;
  readonly call = new FloorCall(this);
  // eslint-disable-next-line svelte/prefer-svelte-reactivity -- nothing is drawn from it
  private waiting = new Map<string, Waiting>();
  private queue: Heard[] = [];
  heard = -1; // the last record, though it may still have to be played
  private skew: number | null = null; // our clock before the service's
  private opened = 0;
  private clock: ReturnType<typeof setInterval>;
  private autoRound = 0;
  private shown: Record<number, string> = {}; // our chips as others were last told
  private turn: Promise<unknown> = Promise.resolve(); // one thing is said after another

  constructor(
    readonly name: string,
    readonly player: string,
    card: LayoutCard,
    bankroll: number,
    private rules: string, // the hash of those the card was drawn by
  ) {
    this.card = $state.raw(card);
    this.titles = $state.raw(titlesOf(card));
    this.bankroll = bankroll;
    this.clock = setInterval(() => this.tick(), 250);
    this.connection = new Connection(
      () => this.begin(),
      (message) => this.take(message),
      LONGEST,
    );
  }

  get ownSpots(): number[] {
    const seats = this.state?.seats ?? {};
    return Object.keys(seats)
      .map(Number)
      .filter((spot) => seats[spot] === this.player)
      .sort((a, b) => a - b);
  }

  /** Whether chips may be put down: between rounds and before the deal. */
  get betting(): boolean {
    if (this.playing || !this.state?.open || !this.ownSpots.length) return false;
    const phase = this.state.round?.phase ?? "betting";
    return phase === "betting" ? !this.isReady : this.isLate;
  }

  /** Wagers after the peek: those circles only. */
  get isLate(): boolean {
    return this.state?.round?.phase === "late-wagers" && this.choices.some((one) => one.do === "ready");
  }

  get isReady(): boolean {
    return this.state?.ready.includes(this.player) ?? false;
  }

  /** What may be done with a hand now. */
  get actions(): Choice[] {
    if (this.playing) return [];
    return this.choices.filter((one) => !["bet", "clear", "ready"].includes(one.do));
  }

  get deadline(): { seconds: number; of: string } | null {
    const running = Object.entries(this.state?.timers ?? {}).filter(([key]) => /^\d+\//.test(key));
    const first = running.sort((a, b) => a[1].localeCompare(b[1]))[0];
    if (!first || this.playing) return null;
    const seconds = Math.max(0, Math.ceil((Date.parse(first[1]) - (this.now - (this.skew ?? 0))) / 1000));
    return { seconds, of: first[0].split("/")[1] ?? "" };
  }

  get free(): number {
    return this.bankroll;
  }

  end(): void {
    clearInterval(this.clock);
    // Whoever walks away between rounds gives the seat up; one who is cut off keeps it for a while.
    if (this.ownSpots.length && !this.standing) void this.send({ do: "leave", player: this.player });
    this.connection.end();
  }

  // --- the line ------------------------------------------------------------------------------------------------------

  private begin(): void {
    this.opened = Date.now();
    this.shown = {};
    this.lying = {};
    const since = this.heard >= 0 ? { since: this.heard } : {};
    this.connection.send(JSON.stringify({ type: "watch", table: this.name, shown: true, ...since }));
    for (const one of this.waiting.values()) this.connection.send(one.text); // said again, done once
  }

  private take(message: FromServer): void {
    switch (message.type) {
      case "snapshot":
        this.heard = message.number;
        this.queue = [];
        this.settle(message.state, message.mine);
        break;
      case "events":
        if (message.number <= this.heard) return;
        this.heard = message.number;
        if (message.state) this.compareClocks(message.state.at);
        this.queue.push(message);
        void this.play();
        break;
      case "chips":
        this.lying = message.spots;
        break;
      case "meters":
        this.meters = message.meters;
        break;
      case "answer":
        this.waiting.get(message.id)?.done(message.number);
        this.waiting.delete(message.id);
        break;
      case "refused":
        this.waiting.get(message.id)?.failed(new Refused(message.reason, problemText(message)));
        this.waiting.delete(message.id);
        break;
      case "problem":
        this.notice = `${problemText(message)}.`;
        break;
      default:
    }
  }

  /** Plays what was heard, event by event; whoever is far behind, or wants no motion, sees the end at once. */
  private async play(): Promise<void> {
    if (this.playing) return;
    this.playing = true;
    for (let next = this.queue.shift(); next; next = this.queue.shift()) {
      for (const [index, event] of next.events.entries()) {
        this.felt = fold(this.felt, event);
        if (event.event === "round-begun") this.titles = titlesOf(this.card);
        this.lying = bets.stillLying(this.lying, event);
        this.tell(`${next.number}.${index}`, event);
        sound(event, this.player);
        const pause = settings.still || document.hidden || this.queue.length > 4 ? 0 : (PAUSES[event.event] ?? 0);
        if (pause) await new Promise((done) => setTimeout(done, pause));
      }
      if (next.state) this.settle(next.state, next.mine);
    }
    this.playing = false;
  }

  private settle(state: TableView, mine?: Mine | null): void {
    this.state = state;
    if (state.rules !== this.rules) void this.drawCard(state.layout, state.rules);
    if (mine) {
      this.choices = mine.choices;
      if (mine.bankroll != null) this.bankroll = mine.bankroll;
    }
    if (state.round) this.felt = feltOf(state.round, this.felt);
    else if (!this.felt.over) this.felt = emptyFelt();
    const spots = this.ownSpots;
    const kept = Object.entries(this.bets.draft).filter(([spot]) => spots.includes(Number(spot)));
    if (kept.length < Object.keys(this.bets.draft).length) {
      this.bets = { ...this.bets, draft: Object.fromEntries(kept), past: [] };
    }
  }

  /** Loads the layout's card for the new rules; chips on circles that are gone come back. */
  private async drawCard(layout: string, rules: string): Promise<void> {
    this.rules = rules;
    try {
      const card = await api.layout(layout, rules);
      if (this.rules !== rules) return;
      this.card = card;
      this.bets = bets.offered(this.bets, card.wagers);
      if (!this.felt.slips.length) this.titles = titlesOf(card); // slips on the felt are of the round before
    } catch {
      this.rules = ""; // asked again with the next record
    }
  }

  /** What is told live was just decided; what is told after a reconnection may be old. */
  private compareClocks(at: string): void {
    const ahead = Date.now() - Date.parse(at);
    if (Date.now() - this.opened > 1000) this.skew = Math.min(this.skew ?? Infinity, ahead);
  }

  private tell(key: string, event: GameEvent): void {
    const text = eventText(event, this.player, this.titles);
    if (text && this.log.at(-1)?.key !== key) this.log = [...this.log.slice(-MOST_LOG), { key, text }];
  }

  // --- commands -----------------------------------------------------------------------------------------------------

  /** Says a command; resolves when it is done and told, rejects with the refusal. */
  private send(command: Record<string, unknown>): Promise<number> {
    const id = crypto.randomUUID();
    const text = JSON.stringify({ type: "command", id, command: { table: this.name, ...command } });
    return new Promise((done, failed) => {
      this.waiting.set(id, { text, done, failed });
      this.connection.send(text);
    });
  }

  /** Says commands one after another; a refusal is shown in its own words. */
  say(...commands: Record<string, unknown>[]): Promise<boolean> {
    const said = this.turn.then(() => this.sayNow(commands));
    this.turn = said;
    return said;
  }

  /** One of the things we were asked; forgotten if the table has moved on before it could be said. */
  async choose(choice: Choice, more: Record<string, unknown> = {}): Promise<void> {
    const asked = this.heard;
    await this.turn;
    if (this.heard === asked) await this.say({ do: choice.do, spot: choice.spot, ...more });
  }

  private async sayNow(commands: Record<string, unknown>[]): Promise<boolean> {
    this.notice = "";
    this.saying = true;
    try {
      for (const command of commands) await this.send(command);
      return true;
    } catch (wrong) {
      const sentence = wrong instanceof Error ? wrong.message : String(wrong);
      this.notice = /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
      return false;
    } finally {
      this.saying = false;
    }
  }

  seat(spot: number): Promise<boolean> {
    return this.say({ do: "seat", player: this.player, spot });
  }

  leave(spot?: number): Promise<boolean> {
    return this.say({ do: "leave", player: this.player, ...(spot === undefined ? {} : { spot }) });
  }

  // --- chips --------------------------------------------------------------------------------------------------------

  circleOpen(circle: Circle): boolean {
    return this.betting && !circle.off && (circle.late ? this.isLate : !this.isLate);
  }

  put(spot: number, circle: Circle, chip: number): void {
    if (!this.betting) return;
    if (circle.late !== this.isLate) {
      this.notice = circle.late ? `${circle.name} is placed after the dealer has peeked.` : "Too late for this one.";
      return;
    }
    this.wipe();
    const standing = this.state?.round?.spots.find((one) => one.spot === spot)?.wagers ?? {};
    const made = bets.place(this.bets, spot, circle, chip, this.card.wagers, this.free, standing);
    this.bets = made.bets;
    this.notice = made.notice;
    sound({ event: "chip" }, this.player);
  }

  takeOff(spot: number, circle: Circle): void {
    this.bets = bets.empty(this.bets, spot, circle, this.card.wagers);
  }

  clear(): void {
    this.notice = "";
    this.bets = bets.clear(this.bets);
  }

  undo(): void {
    this.notice = "";
    this.bets = bets.undo(this.bets);
  }

  rebet(): void {
    this.wipe();
    const made = bets.rebet(this.bets, this.ownSpots, this.free);
    this.bets = made.bets;
    this.notice = made.notice;
  }

  doubleAll(): void {
    const made = bets.doubled(this.bets, this.card.wagers, this.free);
    this.bets = made.bets;
    this.notice = made.notice;
  }

  /** The last round is cleared away when new chips come down. */
  private wipe(): void {
    if (this.felt.over && !this.state?.round) this.felt = emptyFelt();
  }

  /** Hands the chips in and says that we are ready. */
  async deal(): Promise<void> {
    if (!this.betting || this.saying) return;
    const late = this.isLate;
    if (bets.isEmpty(this.bets.draft) && !late && !this.standing) {
      this.notice = "Put chips on a circle first.";
      return;
    }
    const orders = Object.keys(this.bets.draft).map((spot) => ({
      do: "bet",
      spot: Number(spot),
      stakes: bets.inOrder(this.bets.draft[Number(spot)] ?? {}, this.card.wagers),
    }));
    const sent = this.bets;
    if (!(await this.say(...orders))) return;
    if (orders.length) this.bets = late ? bets.handedInLate(sent) : bets.handedIn(sent);
    await this.say({ do: "ready", player: this.player });
  }

  /** Whether chips of ours are on the table already. */
  get standing(): boolean {
    return this.state?.round?.spots.some((one) => one.player === this.player) ?? false;
  }

  /** What lies on a spot: our own chips over what we have handed in; of others what they show, or have handed in. */
  stakesOn(spot: number): bets.Stakes {
    const placed = this.felt.spots[spot]?.wagers ?? {};
    if (this.ownSpots.includes(spot)) return { ...placed, ...this.bets.draft[spot] };
    return this.lying[spot]?.stakes ?? placed;
  }

  /** Others see our chips as they come down; a few times a second is enough. */
  private showChips(): void {
    if (!this.connection.connected) return;
    for (const spot of this.ownSpots) {
      const stakes = bets.inOrder(this.bets.draft[spot] ?? {}, this.card.wagers);
      const text = JSON.stringify(stakes);
      if ((this.shown[spot] ?? "{}") === text) continue;
      this.shown[spot] = text;
      this.connection.send(JSON.stringify({ type: "chips", table: this.name, spot, stakes }));
    }
  }

  // --- time ---------------------------------------------------------------------------------------------------------

  private tick(): void {
    this.now = Date.now();
    this.showChips();
    const due = this.deadline;
    const round = this.state?.round?.round ?? 0;
    // Others have begun, and time runs out: what lies in our circles is handed in.
    if (due?.of === "betting" && due.seconds <= 2 && this.autoRound !== round && this.betting) {
      this.autoRound = round;
      if (!bets.isEmpty(this.bets.draft)) void this.deal();
    }
  }
}
