/** The dealer's entries at a table dealt by hand: keys and forms become commands, sent one after another. */
import { newId } from "../lib/newId";
import * as api from "../lib/api";
import { Refused } from "../lib/api";
import { sentenceOf } from "../lib/codes";
import { errorSentence } from "../lib/errorText";
import type { Circle, LayoutCard, TableView } from "../lib/wire";
import { commandTitle } from "../staff/commandTitles";
import { cents } from "../staff/format";
import type { LiveFeed } from "../staff/liveFeed.svelte";
import { command, moment, rank, suit, type Moment } from "./keyboard";

type Form = "" | "wagers" | "guest" | "correct" | "double";
type Stakes = Record<string, number>;

export class DealerEntries {
  pendingRank = $state(""); // of a card whose suit is still to be typed
  stopped = $state(false); // an entry was not taken: keys are ignored until the dealer has read why
  ignored = $state(0); // keys since then
  chosenSpot = $state(1);
  form = $state<Form>(""); // the one that is open
  stakes = $state<Record<string, string>>({}); // in dollars, as typed
  guest = $state({ player: "", spot: "1", chips: "" });
  correction = $state({ number: "", card: "" });
  error = $state("");
  confirmation = $state("");
  code = $state.raw<((confirmed: boolean) => void) | null>(null); // a large buy-in waits for a one-time code

  private lastWagers: Record<string, Stakes> = {}; // of the round before, by spot
  private queue: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly person: string,
    private readonly name: string,
    private readonly feed: LiveFeed,
    private readonly sessionOver: () => void,
  ) {}

  get table(): TableView | null {
    return this.feed.table;
  }

  get round(): TableView["round"] {
    return this.table?.round ?? null;
  }

  /** What is posted at the table. */
  get layout(): LayoutCard | null {
    return this.feed.card;
  }

  get now(): Moment {
    return this.table ? moment(this.table) : "closed";
  }

  get awaited(): string {
    return this.round ? sentenceOf(this.round.awaits) : "wagers";
  }

  /** The wagers that may be made now. */
  get wagers(): Circle[] {
    const late = this.now === "late";
    return (this.layout?.wagers ?? []).filter((wager) => wager.late === late && !wager.off);
  }

  // --- keys ---------------------------------------------------------------------------------------------------------

  /** Whether this person is the dealer who is logged on. */
  get dealing(): boolean {
    return this.table?.dealer === this.person;
  }

  /** Keys are taken one after another: each means what the table then waits for, however fast they are typed. After an
   * entry that was not taken, those behind it are dropped: they were typed for a table that did not come about. */
  keyDown(event: KeyboardEvent): void {
    const target = event.target as HTMLElement;
    if (event.key === "Escape") return this.close();
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (target.closest("input, select, button, a, summary") || !this.dealing || this.form || this.code) return;
    if (event.key.length > 1 && !["Enter", "Backspace"].includes(event.key)) return;
    event.preventDefault();
    if (event.repeat) return; // a key held too long must not stay for the next spot too
    this.queue = this.queue.then(() => this.takeKey(event.key));
  }

  private async takeKey(key: string): Promise<void> {
    if (this.stopped) {
      this.ignored += 1;
      return;
    }
    if (!this.table || this.form) return;
    const letter = key.toLowerCase();
    if (this.pendingRank) return this.takeSuit(key);
    const { now } = this;
    if (key === "Backspace") await this.enter("take-back", {});
    else if (now === "card" && rank(key)) this.pendingRank = rank(key);
    else if (/^[1-9]$/.test(key) && ["betting", "late", "insurance"].includes(now)) await this.choose(Number(key));
    else if (letter === "c" && this.round?.entered?.length) this.form = "correct";
    else if (letter === "g" && now === "betting") this.form = "guest";
    else if (letter === "r" && now === "betting") await this.repeatLastWagers();
    else if (key === "D" && now === "decision") this.form = "double";
    else await this.takeCommand(key);
  }

  private async takeSuit(key: string): Promise<void> {
    if (key === "0" && ["1", "T"].includes(this.pendingRank)) {
      this.pendingRank = "T"; // typed as 1 0
      return;
    }
    const [ranked, letter] = [this.pendingRank, suit(key)];
    this.pendingRank = "";
    if (key === "Backspace") return;
    if (ranked === "1") this.stop("Ace or ten? Type A for an ace, and T or 10 for a ten.");
    else if (letter) await this.enter("card", { card: ranked + letter });
    else this.stop("Type the suit after the rank: C, D, H or S.");
  }

  /** An entry by keys; if it is not taken, the keys behind it are not either. */
  private async enter(order: string, body: object): Promise<boolean> {
    const taken = await this.send(order, body);
    if (!taken) this.stop(this.error);
    return taken;
  }

  private stop(why: string): void {
    this.error = why;
    this.stopped = true;
    this.ignored = 0;
  }

  private async takeCommand(key: string): Promise<void> {
    const order = this.table && command(this.table, key, this.chosenSpot);
    if (order) {
      if (order.do === "deal" && this.now === "betting")
        this.lastWagers = Object.fromEntries(this.round?.spots.map((seat) => [seat.spot, seat.wagers]) ?? []);
      if (order.do === "deal" || this.now === "insurance") this.chosenSpot = 0; // the next answer is another spot's
      await this.enter(order.do, order.body);
    } else if (rank(key)) {
      this.stop(`No card is due: the table waits for ${this.awaited}.`);
    }
  }

  private async choose(spot: number): Promise<void> {
    if (this.now !== "insurance" && !this.table?.seats[String(spot)]) {
      this.error = `Nobody sits at spot ${spot}: press G to seat a guest.`;
      return;
    }
    this.chosenSpot = spot;
    if (this.now === "insurance") return;
    await this.feed.cardUpToDate();
    const placed = this.wagersOn(spot);
    this.stakes = Object.fromEntries(
      this.wagers.map(({ name }) => [name, placed[name] ? String((placed[name] ?? 0) / 100) : ""]),
    );
    this.form = "wagers";
  }

  private async repeatLastWagers(): Promise<void> {
    const open = this.wagers.map((wager) => wager.name);
    for (const [spot, placed] of Object.entries(this.lastWagers)) {
      const early = Object.entries(placed).filter(([wager]) => open.includes(wager));
      if (!this.table?.seats[spot]) continue;
      if (!(await this.enter("bet", { spot: Number(spot), stakes: Object.fromEntries(early) }))) return;
    }
  }

  // --- forms --------------------------------------------------------------------------------------------------------

  close(): void {
    this.form = "";
    this.pendingRank = "";
    if (this.stopped) this.error = "";
    this.stopped = false;
    (document.activeElement as HTMLElement | null)?.blur();
  }

  /** A form closes at once, so that keys typed next are not part of it; it opens again if its order is refused. */
  private closeAndSend(send: () => Promise<void>): void {
    this.close();
    this.queue = this.queue.then(send);
  }

  bet(): void {
    const amounts = this.typedAmounts();
    if (!amounts) return;
    const emptied = Object.keys(this.wagersOn(this.chosenSpot)).filter(
      (placed) => !(placed in amounts) && this.wagers.some((wager) => wager.name === placed),
    );
    const [spot, typed] = [this.chosenSpot, this.stakes];
    this.closeAndSend(async () => {
      for (const wager of emptied) await this.send("clear", { spot, wager });
      if (!Object.keys(amounts).length || (await this.send("bet", { spot, stakes: amounts }))) return;
      [this.chosenSpot, this.stakes, this.form] = [spot, typed, "wagers"];
    });
  }

  /** The amounts of a full double, to be lowered. */
  offerFullDouble(): void {
    const turn = this.round?.turn;
    const hand = this.round?.spots.find((seat) => seat.spot === turn?.spot)?.hands[turn?.hand ?? 0];
    this.stakes = Object.fromEntries(
      Object.entries(hand?.stakes ?? {}).map(([wager, stake]) => [wager, String(stake / 100)]),
    );
  }

  double(): void {
    const [amounts, spot] = [this.typedAmounts(), this.round?.turn?.spot];
    if (!amounts) return;
    this.closeAndSend(async () => {
      if (!(await this.send("double", { spot, amounts }))) this.form = "double";
    });
  }

  seatGuest(): void {
    const { guest } = this;
    const chips = guest.chips.trim() ? cents(guest.chips) : 0;
    if (chips === null) {
      this.error = "Type the buy-in in dollars, like 100.";
      return;
    }
    const [player, spot] = [guest.player.trim(), Number(guest.spot)];
    this.closeAndSend(async () => {
      const known = await this.openWalkIn(player);
      const seated = known && (await this.send("seat", { player: known, spot })); // first: a refused seat books no chips
      if (seated && (!chips || (await this.send("buy-in", { player: known, amount: chips })))) {
        this.guest = { player: "", spot: String(spot + 1), chips: "" };
        return;
      }
      if (seated) await this.leaveAgain(known, spot);
      this.form = "guest";
    });
  }

  /** Gives back the seat of a guest who got no chips. */
  private async leaveAgain(player: string, spot: number): Promise<void> {
    const why = this.error;
    await this.send("leave", { player, spot });
    this.error = why;
  }

  correctCard(): void {
    const text = this.correction.card.trim();
    const card = rank(text.slice(0, 1)) + suit(text.slice(-1));
    if (card.length !== 2) {
      this.error = "Type a card as rank and suit, like QH or TD.";
      return;
    }
    const number = Number(this.correction.number);
    this.closeAndSend(async () => {
      if (await this.send("correct-card", { number, card })) this.correction = { number: "", card: "" };
      else this.form = "correct";
    });
  }

  // --- who deals ----------------------------------------------------------------------------------------------------

  logOn(): void {
    this.queue = this.queue.then(() => this.send("log-on", {}));
  }

  logOff(): void {
    this.queue = this.queue.then(() => this.send("log-off", {}));
  }

  // --- the table ----------------------------------------------------------------------------------------------------

  private wagersOn(spot: number): Stakes {
    return this.round?.spots.find((seat) => seat.spot === spot)?.wagers ?? {};
  }

  /** The typed amounts in cents; null where one of them is no amount. */
  private typedAmounts(): Stakes | null {
    const amounts: Stakes = {};
    for (const [wager, text] of Object.entries(this.stakes)) {
      if (!text.trim()) continue;
      const amount = cents(text);
      if (amount === null) {
        this.error = `${wager}: type the amount in dollars, like 5 or 2.50.`;
        return null;
      }
      amounts[wager] = amount;
    }
    return amounts;
  }

  /** The player of this name as the house spells it: somebody with an account, or a walk-in opened now. */
  private async openWalkIn(name: string): Promise<string> {
    try {
      return (await api.ask<{ name: string }>("/api/people/walk-in", { name })).name;
    } catch (error) {
      this.refused(error);
      return "";
    }
  }

  private refused(error: unknown): void {
    this.error = errorSentence(error);
    if (error instanceof Refused && error.status === 401) this.sessionOver();
  }

  private askForCode(): Promise<boolean> {
    return new Promise((done) => {
      this.code = (confirmed) => {
        this.code = null;
        done(confirmed);
      };
    });
  }

  /** Sends an entry; resolves once the table's record of it has come, with whether it was carried out. */
  private async send(order: string, body: object, id = newId()): Promise<boolean> {
    try {
      const key = { "Idempotency-Key": id };
      const path = `/api/tables/${encodeURIComponent(this.name)}/${order}`;
      const answer = await api.ask<{ number: number; approval?: string }>(path, body, key);
      if (answer.approval) {
        this.error = "";
        this.confirmation = `${commandTitle({ do: order })}: waiting for the approval of the floor, then it is carried out.`;
        return true;
      }
      await this.feed.reaches(answer.number);
      this.error = "";
      this.confirmation = `${order === "card" && "card" in body ? `Card ${String(body.card)}` : commandTitle({ do: order })}: entered.`;
      return true;
    } catch (error) {
      if (error instanceof Refused && error.reason === "STEP_UP_NEEDED" && (await this.askForCode()))
        return this.send(order, body, id);
      this.refused(error);
      return false;
    }
  }
}
