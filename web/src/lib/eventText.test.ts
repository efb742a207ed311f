import { describe, expect, it } from "vitest";
import { dollars, signed, stack } from "./money";
import { ENTRIES, EVENTS } from "./eventSentences";
import { cardName, dealerTotal, handTotal, points } from "./cardText";
import { EVENT_FORMATS, placeText, eventText } from "./eventText";
import { gameTitle } from "./titles";

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
    expect(dealerTotal(["Ah", "7d"])).toBe("8 or 18");
    expect(dealerTotal(["Ah", "7d"], true)).toBe("18"); // the round is over
  });

  it("calls an ace and a ten after a split 21", () => {
    const hand = { cards: ["As", "Td"], stakes: {}, doubled: {}, done: false, split: true, result: null };
    expect(handTotal(hand)).toBe("21");
    expect(handTotal({ ...hand, split: false })).toBe("Blackjack");
    expect(handTotal({ ...hand, cards: ["As", "8d"] })).toBe("9 or 19");
    expect(handTotal({ ...hand, cards: ["As", "8d"], result: "win" })).toBe("19");
  });

  it("tells events once each and keeps quiet about the rest", () => {
    expect(eventText({ event: "card-dealt", spot: 2, hand: 1, card: "Td" })).toBe("Spot 2, hand 2: ten of diamonds.");
    expect(eventText({ event: "dealer-peeked", blackjack: false })).toBe("The dealer peeks: no blackjack.");
    expect(eventText({ event: "dealer-peeked", blackjack: true })).toBe("The dealer peeks: blackjack.");
    expect(eventText({ event: "insured", spot: 1, amounts: { Ante: 250, Blackjack: 500 } })).toBe(
      "Spot 1: insurance of $7.50.",
    );
    expect(eventText({ event: "minimum-withdrawn", amount: 1000 })).toContain("minimum of $10 is withdrawn");
    expect(eventText({ event: "player-ready", player: "Ann" })).toBeNull();
    expect(eventText({ event: "something-new" })).toBeNull();
  });

  it("says that a round is void, and why; not that one is over", () => {
    expect(eventText({ event: "round-over", round: 1, void: null })).toBeNull();
    expect(eventText({ event: "round-over", round: 1, void: { code: "void/floor", note: "a misdeal" } })).toBe(
      "The round is void: a misdeal; all stakes are returned, and its payments are reversed.",
    );
  });

  it("knows every format that its sentences ask for", () => {
    const named = [...Object.values(EVENTS), ...Object.values(ENTRIES)].join(" ");
    const formats = [...named.matchAll(/\{\w+:(\w+)\}/g)].map((match) => match[1] ?? "");
    expect(formats.filter((format) => !Object.hasOwn(EVENT_FORMATS, format))).toEqual([]);
  });

  it("tells what a dealer took back, and corrected", () => {
    const taken = (entry: object) => eventText({ event: "entry-taken-back", entry, place: { code: "awaiting/peek" } });
    expect(taken({ do: "card", card: "Qh" })).toBe("The dealer takes back: queen of hearts.");
    expect(taken({ do: "card", card: null })).toBe("The dealer takes back: a card face down.");
    expect(taken({ do: "peek", blackjack: false })).toBe("The dealer takes back: the peek, no blackjack.");
    expect(taken({ do: "stay", spot: 2 })).toBe("The dealer takes back: spot 2 stay.");
    const place = { code: "awaiting/player-card", spot: 2, hand: 0 };
    expect(eventText({ event: "card-corrected", number: 1, place, was: "2c", now: "3d" })).toBe(
      "Corrected: three of diamonds, not two of clubs, a card to spot 2.",
    );
    expect(placeText(place)).toBe("spot 2");
    expect(placeText({ code: "awaiting/hole-card-reveal" })).toBe("the dealer's hole card");
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
