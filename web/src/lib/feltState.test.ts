import { describe, expect, it } from "vitest";
import { emptyFelt, feltOf, fold, HOLE, type Felt } from "./feltState";
import type { GameEvent, RoundView } from "./wire";

const play = (events: GameEvent[], from: Felt = emptyFelt()) => events.reduce(fold, from);

const DEAL: GameEvent[] = [
  { event: "round-begun", round: 7 },
  { event: "wager-placed", spot: 3, player: "Ann", wager: "Ante", amount: 500 },
  { event: "wager-placed", spot: 3, player: "Ann", wager: "Lucky Ladies", amount: 200 },
  { event: "betting-closed", main_wagers: ["Ante", "Bet Bigger 2"] },
  { event: "card-dealt", spot: 3, hand: 0, card: "8s" },
  { event: "dealer-card-dealt", card: "Ah" },
  { event: "card-dealt", spot: 3, hand: 0, card: "8d" },
  { event: "hole-card-dealt" },
];

describe("the felt", () => {
  it("shows a deal with the hole card face down and only main wagers on the hand", () => {
    const felt = play(DEAL);
    expect(felt.round).toBe(7);
    expect(felt.dealer).toEqual(["Ah", HOLE]);
    expect(felt.spots[3]?.hands).toHaveLength(1);
    expect(felt.spots[3]?.hands[0]?.cards).toEqual(["8s", "8d"]);
    expect(felt.spots[3]?.hands[0]?.stakes).toEqual({ Ante: 500 });
    expect(felt.spots[3]?.wagers).toEqual({ Ante: 500, "Lucky Ladies": 200 });
  });

  it("turns the hole card over in its place", () => {
    const felt = play([...DEAL, { event: "hole-revealed", card: "Kd" }, { event: "dealer-card-dealt", card: "2c" }]);
    expect(felt.dealer).toEqual(["Ah", "Kd", "2c"]);
  });

  it("lays split hands side by side, again and again", () => {
    const felt = play([
      ...DEAL,
      { event: "hand-split", spot: 3, hand: 0 },
      { event: "card-dealt", spot: 3, hand: 0, card: "8h" },
      { event: "hand-split", spot: 3, hand: 0 },
      { event: "card-dealt", spot: 3, hand: 0, card: "Tc" },
      { event: "card-dealt", spot: 3, hand: 1, card: "3c" },
      { event: "card-dealt", spot: 3, hand: 2, card: "2d" },
    ]);
    expect(felt.spots[3]?.hands.map((hand) => hand.cards)).toEqual([
      ["8s", "Tc"],
      ["8h", "3c"],
      ["8d", "2d"],
    ]);
    expect(felt.spots[3]?.hands.every((hand) => hand.split)).toBe(true);
  });

  it("takes a reversed slip off the felt, and all slips of a void round", () => {
    const slip = { event: "slip", spot: 3, player: "Ann", stake: 200, paid: 800, returned: 200, reason: "event-paid" };
    const reversed = {
      event: "slip-reversed",
      spot: 3,
      player: "Ann",
      hand: null,
      stake: 200,
      paid: 800,
      returned: 200,
    };
    const felt = play([
      ...DEAL,
      { event: "decided", spot: 3, wager: "Lucky Ladies", won: "any-20" },
      { ...slip, wager: "Lucky Ladies" },
      { ...slip, wager: "Suited Royals" },
      { ...reversed, wager: "Lucky Ladies" },
    ]);
    expect(felt.slips.map((kept) => kept.wager)).toEqual(["Suited Royals"]);
    expect(felt.spots[3]?.decided).toEqual({});
    expect(fold(felt, { event: "round-over", round: 7, void: { code: "void/floor" } }).slips).toEqual([]);
  });

  it("keeps the cards after the round, until the next begins", () => {
    const slip = {
      event: "slip",
      spot: 3,
      player: "Ann",
      wager: "Ante",
      hand: 0,
      stake: 500,
      paid: 500,
      returned: 500,
    };
    const over = play([...DEAL, slip, { event: "round-over", round: 7, void: null }]);
    expect(over.over).toBe(true);
    expect(over.slips).toHaveLength(1);
    expect(over.spots[3]?.hands[0]?.cards).toHaveLength(2);
    expect(fold(over, { event: "round-begun", round: 8 })).toEqual(emptyFelt(8));
  });

  it("takes chips back, and a spot without chips is empty", () => {
    const felt = play([...DEAL.slice(0, 3), { event: "wagers-cleared", spot: 3, wagers: ["Lucky Ladies"] }]);
    expect(felt.spots[3]?.wagers).toEqual({ Ante: 500 });
    expect(fold(felt, { event: "wagers-cleared", spot: 3, wagers: ["Ante"] }).spots).toEqual({});
  });

  it("remembers which side wagers were decided when a snapshot follows", () => {
    const felt = play([...DEAL, { event: "decided", spot: 3, wager: "Lucky Ladies", won: null }]);
    const view: RoundView = {
      round: 7,
      phase: "play",
      awaits: { code: "awaiting/decision", spot: 3, hand: 0 },
      dealer: { cards: ["Ah", "?"], total: 11 },
      spots: [{ spot: 3, player: "Ann", wagers: { Ante: 500 }, insurance: {}, hands: [] }],
      turn: { spot: 3, hand: 0 },
    };
    expect(feltOf(view, felt).spots[3]?.decided).toEqual({ "Lucky Ladies": null });
    expect(feltOf({ ...view, round: 8 }, felt).spots[3]?.decided).toEqual({});
  });

  it("leaves itself alone for what it does not draw", () => {
    const felt = play(DEAL);
    expect(fold(felt, { event: "closing-announced" })).toBe(felt);
    expect(fold(felt, { event: "something-new" })).toBe(felt);
  });
});
