import { describe, expect, it } from "vitest";
import { emptyFelt, fold, type Felt } from "../lib/feltState";
import type { GameEvent } from "../lib/wire";
import { shownCards } from "./handOnFelt";

const card = (card: string, hand = 0): GameEvent => ({ event: "card-dealt", spot: 2, hand, card });
const DEAL: GameEvent[] = [
  { event: "round-begun", round: 7 },
  { event: "wager-placed", spot: 2, player: "Ann", wager: "Ante", amount: 500 },
  { event: "betting-closed", main_wagers: ["Ante"] },
  card("8s"),
  { event: "dealer-card-dealt", card: "6d" },
  card("8c"),
  { event: "hole-card-dealt" },
];
const felt = (...more: GameEvent[]): Felt => [...DEAL, ...more].reduce(fold, emptyFelt());

describe("the cards of a spot", () => {
  it("are its first two and the dealer's, with the hole card face down", () => {
    expect(shownCards(felt(), 2)).toEqual({ player: "8s 8c", dealer: "6d ?", totals: "" });
    expect(shownCards(felt(card("2d")), 2).player).toBe("8s 8c");
  });

  it("have their totals once the round is over", () => {
    const over = felt(
      card("2d"),
      { event: "hole-revealed", card: "Th" },
      { event: "round-over", round: 7, void: null },
    );
    expect(shownCards(over, 2)).toEqual({ player: "8s 8c", dealer: "6d Th", totals: "18" });
  });

  it("are found after a split, and not after a second one", () => {
    const split: GameEvent = { event: "hand-split", spot: 2, hand: 0 };
    expect(shownCards(felt(split, card("8h"), card("3d", 1)), 2).player).toBe("8s 8c");
    expect(shownCards(felt(split, card("8h"), split, card("2d")), 2).player).toBe("");
  });

  it("are none where nobody plays", () => {
    expect(shownCards(felt(), 1)).toEqual({ player: "", dealer: "", totals: "" });
    expect(shownCards(emptyFelt(), 2).player).toBe("");
  });
});
