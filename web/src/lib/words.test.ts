import { describe, expect, it } from "vitest";
import { dollars, signed, stack } from "./money";
import type { Slip } from "./wire";
import { cardName, dealerTotal, gameTitle, handTotal, outcome, points, slipSentence, told } from "./words";

const slip: Slip = {
  spot: 1,
  player: "Ann",
  wager: "Lucky Ladies",
  hand: null,
  stake: 500,
  paid: 4500,
  returned: 500,
  won: "suited-20",
  reason: "Suited 20 pays 9 to 1",
};

describe("words", () => {
  it("names cards and totals as a dealer does", () => {
    expect(cardName("Qh")).toBe("queen of hearts");
    expect(cardName("?")).toBe("a card face down");
    expect(points(["As", "6d"])).toBe("7 or 17");
    expect(points(["As", "6d", "Tc"])).toBe("17");
    expect(points(["As", "Ad", "9c"])).toBe("21");
    expect(dealerTotal(["Ah", "?"])).toBe("shows an ace");
    expect(dealerTotal(["Ah", "Kd"])).toBe("Blackjack");
    expect(dealerTotal(["9h", "Kd", "5d"])).toBe("24, bust");
  });

  it("calls an ace and a ten after a split 21", () => {
    const hand = { cards: ["As", "Td"], stakes: {}, doubled: {}, done: false, split: true, result: null };
    expect(handTotal(hand)).toBe("21");
    expect(handTotal({ ...hand, split: false })).toBe("Blackjack");
  });

  it("explains a slip with its net", () => {
    expect(slipSentence(slip)).toBe("Suited 20 pays 9 to 1: +$45");
    expect(outcome(slip)).toBe("won");
    expect(outcome({ ...slip, paid: 0 })).toBe("push");
    expect(outcome({ ...slip, paid: 0, returned: 0 })).toBe("lost");
    expect(outcome({ ...slip, claim: { jackpot: "MEGA", share: "1", event: "x" } })).toBe("jackpot");
  });

  it("tells events once each and keeps quiet about the rest", () => {
    expect(told({ event: "card-dealt", spot: 2, hand: 1, card: "Td" })).toBe("Spot 2, hand 2: ten of diamonds.");
    expect(told({ event: "dealer-peeked", blackjack: false })).toBe("The dealer peeks: no blackjack.");
    expect(told({ ...slip, event: "slip" }, "Ann")).toBe("Lucky Ladies: Suited 20 pays 9 to 1: +$45.");
    expect(told({ event: "shoe-begun" })).toBeNull();
  });

  it("writes money and builds stacks from the largest chip", () => {
    expect(dollars(125000)).toBe("$1,250");
    expect(dollars(250)).toBe("$2.50");
    expect(signed(-500)).toBe("-$5");
    expect(stack(3650)).toEqual([2500, 1000, 100, 50]);
    expect(gameTitle("lucky-ladies-jackpot")).toBe("Lucky Ladies Jackpot");
  });
});
