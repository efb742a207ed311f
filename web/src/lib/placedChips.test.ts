import { describe, expect, it } from "vitest";
import type { Hand, Spot } from "./feltState";
import { dollars } from "./money";
import { chipsText, placedChips } from "./placedChips";
import type { Circle } from "./wire";

const circle = (name: string, role: string) => ({ name, role }) as Circle;
const CIRCLES = [
  circle("Ante", "main"),
  circle("Bet Bigger 2", "bigger"),
  circle("Bet Bigger 3", "bigger"),
  circle("Lucky Ladies", "side"),
];
const STAKES = { Ante: 1000, "Bet Bigger 2": 1000, "Lucky Ladies": 500 };
const MAIN = { Ante: 1000, "Bet Bigger 2": 1000 };

const hand = (stakes: Hand["stakes"], doubled: Hand["doubled"] = {}): Hand => ({
  cards: [],
  stakes,
  doubled,
  done: false,
  split: false,
  result: null,
});
const spot = (...hands: Hand[]): Spot => ({
  spot: 3,
  player: "Ann",
  wagers: STAKES,
  insurance: {},
  hands,
  decided: {},
});
const amounts = (placed: ReturnType<typeof placedChips>) =>
  Object.fromEntries(Object.entries(placed).map(([name, chips]) => [name, [chips.stack, chips.added, chips.side]]));

describe("chips on a spot", () => {
  it("lie in their circles until a double or a split adds to them", () => {
    const placed = placedChips(spot(hand(MAIN)), STAKES, CIRCLES, "beside the wagers stacked in the Ante circle");
    expect(amounts(placed)).toEqual({
      Ante: [1000, 0, "right"],
      "Bet Bigger 2": [1000, 0, "right"],
      "Bet Bigger 3": [0, 0, "right"],
      "Lucky Ladies": [500, 0, "right"],
    });
  });

  it("are added to the left of each wager in 001 and 002, however much each is doubled by", () => {
    const doubled = spot(hand(MAIN, { Ante: 1000, "Bet Bigger 2": 300 }));
    expect(amounts(placedChips(doubled, STAKES, CIRCLES, "left of each wager"))).toEqual({
      Ante: [1000, 1000, "left"],
      "Bet Bigger 2": [1000, 300, "left"],
      "Bet Bigger 3": [0, 0, "right"],
      "Lucky Ladies": [500, 0, "right"],
    });
  });

  it("are stacked in the main circle in 000, and what is added lies beside them", () => {
    const split = spot(hand(MAIN), hand(MAIN, { Ante: 500, "Bet Bigger 2": 0 }));
    const placed = placedChips(split, STAKES, CIRCLES, "beside the wagers stacked in the Ante circle");
    expect(amounts(placed)).toEqual({
      Ante: [2000, 2500, "right"],
      "Bet Bigger 2": [0, 0, "right"],
      "Bet Bigger 3": [0, 0, "right"],
      "Lucky Ladies": [500, 0, "right"],
    });
    expect(chipsText(placed["Ante"]!, dollars)).toBe("$20, and $25 added beside");
    expect(chipsText(placed["Bet Bigger 2"]!, dollars)).toBe("stacked in the Ante circle");
    expect(chipsText(placed["Bet Bigger 3"]!, dollars)).toBe("empty");
  });

  it("are added beside the wager in 003 and 004", () => {
    const split = spot(hand({ Ante: 1000 }), hand({ Ante: 1000 }), hand({ Ante: 1000 }));
    expect(placedChips(split, STAKES, CIRCLES, "beside the wager")["Ante"]).toEqual({
      stack: 1000,
      added: 2000,
      side: "right",
      stackedIn: "",
    });
  });
});
