/** A live table: receives its records over a socket, plays them on the felt one by one, and sends commands. */
import { Refused } from "../lib/api";
import { problemText } from "../lib/codes";
import { TableShoes } from "../fairness/tableShoes.svelte";
import { Connection } from "../lib/connection.svelte";
import { errorSentence } from "../lib/errorText";
import { eventText } from "../lib/eventText";
import { emptyFelt, feltOf, fold, type Felt } from "../lib/feltState";
import { FloorCall } from "../lib/floorCall.svelte";
import { PostedCard } from "../lib/postedCard.svelte";
import { settings } from "../lib/settings.svelte";
import { keep, kept } from "../lib/stored";
import { titlesOf, type Titles } from "../lib/titles";
import type {
  Choice,
  Circle,
  FromServer,
  GameEvent,
  LayoutCard,
  Mine,
  ShownChips,
  Signs,
  Slip,
  TableView,
} from "../lib/wire";
import { BetDraft } from "./betDraft.svelte";
import * as bets from "./bets";
import { CommandSender, type Command } from "./commandSender";
import { sound } from "./sounds";

export interface LogLine {
  key: string;
  text: string;
}

type TableRecord = { number: number; events: GameEvent[]; state?: TableView | null; mine?: Mine | null };

const LOG_LIMIT = 120; // lines
const RECONNECT_LIMIT = 3000; // ms between two attempts
const TICK = 250; // ms
const HAND_IN = 2; // seconds before the betting time is over
/** How long an event is seen before the next one is played, in ms. */
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
  layout: LayoutCard; // what is posted at the table now
  titles: Titles; // of the paytables of the round on the felt
  felt = $state.raw<Felt>(emptyFelt());
  choices = $state.raw<Choice[]>([]);
  declined = $state.raw<Choice[]>([]); // insurance and even money that may still be taken
  bankroll = $state(0);
  othersChips = $state.raw<ShownChips>({}); // not handed in yet
  signs = $state.raw<Signs>({ meters: {}, off: {}, notices: {} });
  log = $state.raw<LogLine[]>([]);
  notice = $state("");
  playing = $state(false); // records are being played on the felt
  sending = $state(false);
  now = $state(Date.now());
  lastRecord = -1; // the number of the last record received, though it may still have to be played

  readonly connection: Connection;
  readonly draft = new BetDraft(this);
  readonly call = new FloorCall(this);
  readonly posted: PostedCard;
  readonly shoes: TableShoes;
  private readonly sender: CommandSender;
  private queue: TableRecord[] = [];
  private closedResults = $state(-1); // the round whose results the player has closed
  private clockAhead: number | null = null; // ms by which this browser's clock is ahead of the service's
  private connectedAt = 0;
  private clock: ReturnType<typeof setInterval>;
  private handedInRound = 0; // the round whose chips were handed in because time was running out
  private previous: Promise<unknown> = Promise.resolve(); // commands are sent one after another

  constructor(
    readonly name: string,
    readonly player: string,
    layout: LayoutCard,
    bankroll: number,
  ) {
    this.layout = $state.raw(layout);
    this.posted = new PostedCard(name, (card) => this.post(card));
    this.shoes = new TableShoes(name, player, (command) => this.submit(command));
    this.titles = $state.raw(titlesOf(layout));
    this.bankroll = bankroll;
    this.draft.restore();
    this.clock = setInterval(() => this.tick(), TICK);
    this.sender = new CommandSender(name, (text) => this.connection.send(text));
    this.connection = new Connection(
      () => this.connected(),
      (message) => this.receive(message),
      RECONNECT_LIMIT,
    );
  }

  get ownSpots(): number[] {
    const seats = this.state?.seats ?? {};
    return Object.keys(seats)
      .map(Number)
      .filter((spot) => seats[spot] === this.player)
      .sort((a, b) => a - b);
  }

  /** Whether chips may be put down: between rounds, before the deal, and on circles that open after the peek. */
  get betting(): boolean {
    if (this.playing || !this.state?.open || !this.ownSpots.length) return false;
    const phase = this.state.round?.phase ?? "betting";
    return phase === "betting" ? !this.isReady : this.isLate;
  }

  /** Whether wagers that were handed in may be taken back: until the deal. */
  get mayTakeBack(): boolean {
    return this.state?.round?.phase === "betting" && this.hasWagers;
  }

  /** Whether a hand of the player's is in play: it is played without them if they leave. */
  get handInPlay(): boolean {
    return this.hasWagers && this.state?.round?.phase !== "betting";
  }

  /** Wagers after the peek: those circles only. */
  get isLate(): boolean {
    return this.state?.round?.phase === "late-wagers" && this.choices.some((choice) => choice.do === "ready");
  }

  get isReady(): boolean {
    return this.state?.ready.includes(this.player) ?? false;
  }

  /** What the player may do with a hand now. */
  get actions(): Choice[] {
    if (this.playing) return [];
    return this.choices.filter((choice) => !["bet", "clear", "ready"].includes(choice.do));
  }

  /** The stakes of the hand in play: what a split of it costs. */
  get handStake(): number {
    const turn = this.felt.turn;
    const stakes = turn ? this.felt.spots[turn.spot]?.hands[turn.hand]?.stakes : undefined;
    return Object.values(stakes ?? {}).reduce((sum, stake) => sum + stake, 0);
  }

  /** What the player declined and may still take, until the dealer closes insurance. */
  get mayStillTake(): Choice[] {
    return this.playing ? [] : this.declined;
  }

  get deadline(): { seconds: number; of: string } | null {
    const running = Object.entries(this.state?.timers ?? {}).filter(([key]) => /^\d+\//.test(key));
    const first = running.sort((a, b) => a[1].localeCompare(b[1]))[0];
    if (!first || this.playing) return null;
    const seconds = Math.max(0, Math.ceil((Date.parse(first[1]) - (this.now - (this.clockAhead ?? 0))) / 1000));
    return { seconds, of: first[0].split("/")[1] ?? "" };
  }

  /** Whether the player has wagers in this round. */
  get hasWagers(): boolean {
    return this.state?.round?.spots.some((spot) => spot.player === this.player) ?? false;
  }

  circleOpen(circle: Circle): boolean {
    return this.betting && !circle.off && (circle.late ? this.isLate : !this.isLate);
  }

  /** The chips on a spot: the player's own draft over their wagers; of others the chips they show, or their wagers. */
  stakesOn(spot: number): bets.Stakes {
    const placed = this.felt.spots[spot]?.wagers ?? {};
    if (this.ownSpots.includes(spot)) return { ...placed, ...this.draft.bets.draft[spot] };
    return this.othersChips[spot]?.stakes ?? placed;
  }

  /** Whether the player may sit down at a free spot: next to their own, where the game wants it. */
  maySit(spot: number): boolean {
    if (this.state?.seats[spot] || this.playing || this.state?.round) return false;
    const own = this.ownSpots;
    return !own.length || !this.layout.adjacent_spots || own.some((other) => Math.abs(other - spot) === 1);
  }

  /** Whether the player may give up one of several spots: the others stay next to each other, where the game wants it. */
  mayLeave(spot: number): boolean {
    const own = this.ownSpots;
    if (!own.includes(spot) || own.length < 2 || this.state?.round) return false;
    return !this.layout.adjacent_spots || spot === Math.min(...own) || spot === Math.max(...own);
  }

  /** The player's slips of the round that is over, until they close them. */
  get results(): Slip[] {
    if (!this.felt.over || this.closedResults === this.felt.round) return [];
    return this.felt.slips.filter((slip) => slip.player === this.player);
  }

  closeResults(): void {
    this.closedResults = this.felt.round;
    keep(this.player, this.name, "felt", null);
  }

  /** The last round is cleared away when new chips come down. */
  clearLastRound(): void {
    if (!this.felt.over || this.state?.round) return;
    this.felt = emptyFelt();
    keep(this.player, this.name, "felt", null);
  }

  end(): void {
    clearInterval(this.clock);
    // A player who walks away between rounds gives up the seat; one who loses the connection keeps it for a while.
    if (this.ownSpots.length && !this.hasWagers) void this.sender.send({ do: "leave", player: this.player });
    this.connection.end();
    this.posted.end();
  }

  // --- records -------------------------------------------------------------------------------------------------------

  private connected(): void {
    this.connectedAt = Date.now();
    this.draft.forgetShown();
    this.othersChips = {};
    const since = this.lastRecord >= 0 ? { since: this.lastRecord } : {};
    this.connection.send(JSON.stringify({ type: "watch", table: this.name, shown: true, ...since }));
    this.sender.resend();
  }

  private receive(message: FromServer): void {
    switch (message.type) {
      case "snapshot":
        this.lastRecord = message.number;
        this.queue = [];
        this.apply(message.state, message.mine, true);
        break;
      case "events":
        if (message.number <= this.lastRecord) return;
        this.lastRecord = message.number;
        if (message.state) this.compareClocks(message.state.at);
        this.queue.push(message);
        void this.play();
        break;
      case "chips":
        this.othersChips = message.spots;
        break;
      case "meters":
        this.signs = { meters: message.meters, off: message.off, notices: message.notices };
        if (this.state) this.posted.follow(this.state, this.signs.off);
        break;
      case "answer":
        this.sender.answered(message.id, message.number);
        break;
      case "refused":
        this.sender.refused(message.id, new Refused(message.reason, problemText(message, this.player)));
        break;
      case "problem":
        this.notice = `${problemText(message, this.player)}.`;
        break;
      default:
    }
  }

  /** Plays the records event by event; at once where there are many of them, or the player wants no motion. */
  private async play(): Promise<void> {
    if (this.playing) return;
    this.playing = true;
    for (let record = this.queue.shift(); record; record = this.queue.shift()) {
      for (const [index, event] of record.events.entries()) {
        this.felt = fold(this.felt, event);
        this.shoes.add(event);
        if (event.event === "round-begun") this.titles = titlesOf(this.layout);
        if (event.event === "round-over") keep(this.player, this.name, "felt", event["void"] ? null : this.felt);
        this.othersChips = bets.stillShown(this.othersChips, event);
        this.addToLog(`${record.number}.${index}`, event);
        sound(event, this.player);
        const pause = (PAUSES[event.event] ?? 0) / settings.speed;
        if (pause && !settings.still && !document.hidden && this.queue.length <= 4)
          await new Promise((done) => setTimeout(done, pause));
      }
      if (record.state) this.apply(record.state, record.mine);
    }
    this.playing = false;
  }

  private apply(state: TableView, mine?: Mine | null, gap = false): void {
    this.state = state;
    this.shoes.follow(state, gap);
    this.posted.follow(state, this.signs.off);
    if (mine) {
      this.choices = mine.choices;
      this.declined = mine.may_still_take ?? [];
      if (mine.bankroll != null) this.bankroll = mine.bankroll;
    }
    if (state.round) this.felt = feltOf(state.round, this.felt);
    else if (!this.felt.over) this.felt = this.lastResult() ?? emptyFelt();
    this.draft.keepSpots(this.ownSpots);
  }

  /** The felt of the last round, after a reload. */
  private lastResult(): Felt | null {
    const before = kept<Felt>(this.player, this.name, "felt");
    return before && this.ownSpots.length && bets.isEmpty(this.draft.bets.draft) ? before : null;
  }

  private post(card: LayoutCard): void {
    this.layout = card;
    this.draft.keepCircles(card.wagers);
    if (!this.felt.slips.length) this.titles = titlesOf(card); // results on the felt are of the round before
  }

  /** A record that is received live was just made; one that is received after a reconnection may be old. */
  private compareClocks(at: string): void {
    const ahead = Date.now() - Date.parse(at);
    if (Date.now() - this.connectedAt > 1000) this.clockAhead = Math.min(this.clockAhead ?? Infinity, ahead);
  }

  private addToLog(key: string, event: GameEvent): void {
    const text = eventText(event, this.player, this.titles);
    if (text && this.log.at(-1)?.key !== key) this.log = [...this.log.slice(-LOG_LIMIT), { key, text }];
  }

  // --- commands -----------------------------------------------------------------------------------------------------

  /** Sends commands one after another; whether all were carried out. A refusal becomes the notice. */
  submit(...commands: Command[]): Promise<boolean> {
    const submitted = this.previous.then(() => this.submitNow(commands));
    this.previous = submitted;
    return submitted;
  }

  /** One of the player's choices; dropped if the table moves on before it can be sent. */
  async choose(choice: Choice, more: Command = {}): Promise<void> {
    const chosenAt = this.lastRecord;
    await this.previous;
    if (this.lastRecord === chosenAt) await this.submit({ do: choice.do, spot: choice.spot, ...more });
  }

  private async submitNow(commands: Command[]): Promise<boolean> {
    this.notice = "";
    this.sending = true;
    try {
      for (const command of commands) await this.sender.send(command);
      return true;
    } catch (error) {
      this.notice = errorSentence(error);
      return false;
    } finally {
      this.sending = false;
    }
  }

  seat(spot: number): Promise<boolean> {
    return this.submit({ do: "seat", player: this.player, spot });
  }

  leave(spot?: number): Promise<boolean> {
    return this.submit({ do: "leave", player: this.player, ...(spot === undefined ? {} : { spot }) });
  }

  // --- time ---------------------------------------------------------------------------------------------------------

  private tick(): void {
    this.now = Date.now();
    this.draft.showToOthers();
    const due = this.deadline;
    const round = this.state?.round?.round ?? 0;
    // Other players have bet and time is running out: the chips in the player's circles are handed in.
    if (due?.of === "betting" && due.seconds <= HAND_IN && this.handedInRound !== round && this.betting) {
      this.handedInRound = round;
      if (!bets.isEmpty(this.draft.bets.draft)) void this.draft.deal();
    }
  }
}
