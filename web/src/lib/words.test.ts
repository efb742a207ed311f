import { describe, expect, it } from "vitest";
import { dollars, signed, stack } from "./money";
import { ENTRIES, EVENTS } from "./events";
import { cardName, dealerTotal, EVENT_FORMATS, gameTitle, handTotal, placeText, points, told } from "./words";

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

  it("tells events once each and keeps quiet about the rest", () => {
    expect(told({ event: "card-dealt", spot: 2, hand: 1, card: "Td" })).toBe("Spot 2, hand 2: ten of diamonds.");
    expect(told({ event: "dealer-peeked", blackjack: false })).toBe("The dealer peeks: no blackjack.");
    expect(told({ event: "dealer-peeked", blackjack: true })).toBe("The dealer peeks: blackjack.");
    expect(told({ event: "insured", spot: 1, amounts: { Ante: 250, Blackjack: 500 } })).toBe(
      "Spot 1: insurance of $7.50.",
    );
    expect(told({ event: "minimum-withdrawn", amount: 1000 })).toContain("minimum of $10 is withdrawn");
    expect(told({ event: "player-ready", player: "Ann" })).toBeNull();
    expect(told({ event: "something-new" })).toBeNull();
  });

  it("says that a round is void, and why; not that one is over", () => {
    expect(told({ event: "round-over", round: 1, void: null })).toBeNull();
    expect(told({ event: "round-over", round: 1, void: { code: "void/floor", note: "a misdeal" } })).toBe(
      "The round is void: a misdeal; every stake goes back.",
    );
  });

  it("knows every format that its sentences ask for", () => {
    const named = [...Object.values(EVENTS), ...Object.values(ENTRIES)].join(" ");
    const formats = [...named.matchAll(/\{\w+:(\w+)\}/g)].map((one) => one[1] ?? "");
    expect(formats.filter((format) => !Object.hasOwn(EVENT_FORMATS, format))).toEqual([]);
  });

  it("tells what a dealer took back, and corrected", () => {
    const taken = (entry: object) => told({ event: "entry-taken-back", entry, place: { code: "awaiting/peek" } });
    expect(taken({ do: "card", card: "Qh" })).toBe("The dealer takes back: queen of hearts.");
    expect(taken({ do: "card", card: null })).toBe("The dealer takes back: a card face down.");
    expect(taken({ do: "peek", blackjack: false })).toBe("The dealer takes back: the peek, no blackjack.");
    expect(taken({ do: "stay", spot: 2 })).toBe("The dealer takes back: spot 2 stay.");
    const place = { code: "awaiting/player-card", spot: 2, hand: 0 };
    expect(told({ event: "card-corrected", number: 1, place, was: "2c", now: "3d" })).toBe(
      "Corrected: three of diamonds, not two of clubs, a card to spot 2.",
    );
    expect(placeText(place)).toBe("spot 2");
    expect(placeText({ code: "awaiting/up-card" })).toBe("the dealer's up card");
  });

  it("writes money and builds stacks from the largest chip", () => {
    expect(dollars(125000)).toBe("$1,250");
    expect(dollars(250)).toBe("$2.50");
    expect(signed(-500)).toBe("-$5");
    expect(stack(3650)).toEqual([2500, 1000, 100, 50]);
    expect(gameTitle("lucky-ladies-jackpot")).toBe("Lucky Ladies Jackpot");
  });
});
