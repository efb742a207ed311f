import { describe, expect, it } from "vitest";
import { FORMATS, fill, problemText, sentence, sentenceOf, tellMomentsBy } from "./codes";
import { SENTENCES } from "./codeSentences";

describe("the sentence of a code", () => {
  it("has its parameters in it", () => {
    expect(sentence("NOT_YOUR_TURN", { turn: 2 })).toBe("it is spot 2's turn");
    expect(sentence("ROUND_OVER")).toBe("the round is over");
  });

  it("has money in dollars", () => {
    expect(sentence("BELOW_MINIMUM", { wager: "Ante", least: 125_000, amount: 250 })).toBe(
      "the minimum Ante is $1,250, not $2.50",
    );
    expect(sentence("NOT_AN_ALLOWED_AMOUNT", { wager: "Bonus", allowed: [500, 1000], amount: 700 })).toBe(
      "Bonus is $5 or $10, not $7",
    );
    expect(sentence("FLAT_BET", { spot: 1, held: { Ante: 500, "Top 3": 100 } })).toContain(": Ante $5, Top 3 $1");
  });

  it("has lists, quotations and moments", () => {
    expect(sentence("NEEDS_ANOTHER_WAGER", { wager: "Top 3", others: ["Ante", "Blackjack"] })).toBe(
      "Top 3 can be bet only together with Ante or Blackjack",
    );
    expect(sentence("UNKNOWN_WAGER", { wager: "Moon" })).toBe("this table has no wager 'Moon'");
    expect(sentence("TOO_SOON", { jackpot: "The Ladies", at: "2026-03-01T11:30:05.123456Z" })).toBe(
      "The Ladies may be changed again at 2026-03-01 11:30:05 UTC",
    );
    expect(fill("{spots:list}", { spots: [2, 3] })).toBe("2, 3");
    expect(fill("{spots:list}", { spots: [] })).toBe("none");
    expect(fill("{held:stakes}", { held: {} })).toBe("none");
  });

  it("has other codes in it, as deep as they go", () => {
    const why = { code: "NOT_NOW", awaited: { code: "awaiting/player-card", spot: 3, hand: 0 } };
    expect(sentenceOf({ code: "CONTRADICTS_LATER_ENTRIES", card: "Qh", why })).toBe(
      "Qh contradicts later entries: not now: the table waits for a card to spot 3; take back the later entries first",
    );
    const hint = { code: "nearest/none" };
    expect(sentence("UNKNOWN_NAME", { what: { code: "name/layout" }, name: "moon", hint })).toBe(
      "there is no layout 'moon'",
    );
  });

  it("shows a parameter that is missing as a question mark", () => {
    expect(sentence("NOT_YOUR_TURN")).toBe("it is spot ?'s turn");
    expect(sentence("WAGER_OFF", { wager: "Bonus" })).toBe("Bonus is off: ?");
  });

  it("shows a code of a later version as it is, with what came with it", () => {
    expect(sentence("MOON_FULL", { spot: 2, held: { Ante: 500 } })).toBe('MOON_FULL, spot 2, held {"Ante":500}');
    expect(sentence("toString")).toBe("toString");
    expect(sentenceOf({ code: "TABLE_STOPPED", table: "T", why: { code: "new/one" } })).toBe("T is stopped: new/one");
  });

  it("knows every format that its sentences ask for", () => {
    const formats = Object.values(SENTENCES).flatMap((text) =>
      [...text.matchAll(/\{\w+:(\w+)\}/g)].map((match) => match[1]),
    );
    expect(formats.filter((format) => !Object.hasOwn(FORMATS, format ?? ""))).toEqual([]);
  });
});

describe("a problem", () => {
  it("is told by its code where it has one, else in the service's words", () => {
    const problem = { reason: "NOT_SEATED", detail: "sit down first" };
    expect(problemText({ ...problem, details: { player: "Ann" } })).toBe("Ann does not sit at this table");
    expect(problemText(problem)).toBe("sit down first");
    expect(problemText({ ...problem, details: null })).toBe("sit down first");
    expect(problemText({ reason: "MOON_FULL", details: {}, detail: "not at full moon" })).toBe("not at full moon");
  });
});

it("a moment in a sentence is told in UTC until the page knows the house's zone", () => {
  const told = () => fill("called at {at:moment}", { at: "2026-07-04T16:00:00Z" });
  tellMomentsBy(() => null);
  expect(told()).toBe("called at 2026-07-04 16:00:00 UTC");
  tellMomentsBy((at) => `${at.slice(11, 13)} o'clock`);
  expect(told()).toBe("called at 16 o'clock");
  tellMomentsBy(() => null);
});
