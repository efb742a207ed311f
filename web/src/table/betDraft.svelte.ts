/** The player's chips on the felt before they are bet: put down, taken off, repeated, shown to others, handed in. */
import { text } from "../messages/text";
import { keep, kept } from "../lib/stored";
import type { Circle } from "../lib/wire";
import * as bets from "./bets";
import type { LiveTable } from "./liveTable.svelte";
import { sound } from "./sounds";

export class BetDraft {
  private now = $state.raw<bets.Bets>(bets.NO_BETS);
  private shown: Record<number, string> = {}; // the chips that the other players were last shown, by spot

  constructor(private readonly table: LiveTable) {}

  get bets(): bets.Bets {
    return this.now;
  }

  /** Kept in the browser: a reload loses no chips, and can still repeat the last bet. */
  set bets(next: bets.Bets) {
    this.now = next;
    keep(this.table.player, this.table.name, "bets", { draft: next.draft, last: next.last });
  }

  /** The chips from before a reload, as far as the circles still take them. */
  restore(): void {
    const { player, name, layout } = this.table;
    const before = kept<Pick<bets.Bets, "draft" | "last">>(player, name, "bets");
    if (before) this.now = bets.offered({ ...bets.NO_BETS, ...before }, layout.wagers).bets;
  }

  put(spot: number, circle: Circle, chip: number): void {
    const { table } = this;
    if (!table.betting) return;
    if (circle.late !== table.isLate) {
      table.notice = circle.late
        ? text("bet.after_deal", { wager: circle.name })
        : text("bet.too_late", { wager: circle.name });
      return;
    }
    table.clearLastRound();
    const standing = table.state?.round?.spots.find((seat) => seat.spot === spot)?.wagers ?? {};
    const { wagers, most_wagers: most, small_stake: small } = table.layout;
    this.apply(bets.place(this.bets, spot, circle, chip, wagers, table.bankroll, standing, { most, small }));
    sound({ event: "chip" }, table.player);
  }

  takeOff(spot: number, circle: Circle): void {
    this.bets = bets.empty(this.bets, spot, circle, this.table.layout.wagers);
  }

  /** Takes the chips off, and until the deal also those that were handed in. */
  clear(): void {
    this.apply({ bets: bets.clear(this.bets), notice: "" });
    if (this.table.mayTakeBack) void this.table.submit({ do: "clear-spots", player: this.table.player });
  }

  undo(): void {
    this.apply({ bets: bets.undo(this.bets), notice: "" });
  }

  rebet(): void {
    this.table.clearLastRound();
    this.apply(bets.rebet(this.bets, this.table.ownSpots, this.table.layout.wagers, this.table.bankroll));
  }

  /** The last bet again, dealt at once. */
  async rebetAndDeal(): Promise<void> {
    this.rebet();
    if (!bets.isEmpty(this.bets.draft)) await this.deal();
  }

  doubleAll(): void {
    this.apply(bets.doubled(this.bets, this.table.layout.wagers, this.table.bankroll));
  }

  private apply({ bets: next, notice }: bets.Placed): void {
    this.bets = next;
    this.table.notice = notice;
  }

  /** Hands the chips in and says that the player is ready. */
  async deal(): Promise<void> {
    const { table } = this;
    if (!table.betting || table.sending) return;
    const late = table.isLate;
    if (bets.isEmpty(this.bets.draft) && !late && !table.hasWagers) {
      table.notice = text("bet.chips_first");
      return;
    }
    const handedIn = this.bets;
    const numbers = Object.keys(handedIn.draft).map(Number);
    const spots = Object.fromEntries(numbers.map((spot) => [spot, this.stakesOn(spot)]));
    // One command: all spots are bet on, or none.
    const command = numbers.length ? { do: "bet-spots", spots, ready: true } : { do: "ready" };
    if (!(await table.submit({ player: table.player, ...command }))) return;
    if (numbers.length) this.bets = late ? bets.handedInLate(handedIn) : bets.handedIn(handedIn);
  }

  /** Chips on spots that the player no longer holds come back. */
  keepSpots(spots: readonly number[]): void {
    const spotsLeft = Object.entries(this.bets.draft).filter(([spot]) => spots.includes(Number(spot)));
    if (spotsLeft.length < Object.keys(this.bets.draft).length) {
      this.bets = { ...this.bets, draft: Object.fromEntries(spotsLeft), past: [] };
    }
  }

  /** Chips on circles that the table no longer takes come back; the player is told. */
  keepCircles(circles: readonly Circle[]): void {
    const { bets: left, notice } = bets.offered(this.bets, circles);
    this.bets = left;
    if (notice) this.table.notice = notice;
  }

  /** Lets the other players see the chips as they come down; called a few times per second. */
  showToOthers(): void {
    const { table } = this;
    if (!table.connection.connected) return;
    for (const spot of table.ownSpots) {
      const stakes = this.stakesOn(spot);
      const text = JSON.stringify(stakes);
      if ((this.shown[spot] ?? "{}") === text) continue;
      this.shown[spot] = text;
      table.connection.send(JSON.stringify({ type: "chips", table: table.name, spot, stakes }));
    }
  }

  /** After a reconnection the others have seen nothing. */
  forgetShown(): void {
    this.shown = {};
  }

  private stakesOn(spot: number): bets.Stakes {
    return bets.inOrder(this.bets.draft[spot] ?? {}, this.table.layout.wagers);
  }
}
