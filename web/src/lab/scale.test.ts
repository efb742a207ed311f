import { describe, expect, it } from "vitest";
import { address, NOTHING, question, ratio, readAddress } from "./lab";
import { places, scale, span, ticks } from "./scale";

describe("a drawing", () => {
  it("has round numbers along its sides", () => {
    expect(ticks(0, 10)).toEqual([0, 2, 4, 6, 8, 10]);
    expect(ticks(-1, 1)).toEqual([-1, -0.5, 0, 0.5, 1]);
    expect(ticks(3, 3)).toEqual([3]);
    expect(ticks(0, 150000)).toContain(50000);
  });
  it("writes as many digits as it needs", () => {
    expect(places([0, 2, 4])).toBe(0);
    expect(places([0, 0.5, 1])).toBe(1);
    expect(places([0, 0.02])).toBe(2);
  });
  it("puts values in their places", () => {
    expect(scale(0, 10, 100, 0)(5)).toBe(50);
    expect(span([1, 3], 0.5)).toEqual([0, 4]);
    expect(span([2])[0]).toBeLessThan(2);
  });
});

describe("an address", () => {
  it("carries everything that is asked, and gives it back", () => {
    const asked = {
      ...NOTHING,
      table: "da6-1",
      decks: 6,
      pays: { straight: "7.5", match: "none" },
      meters: { "THE BIG ONE": "$12,000" },
      wager: "$5",
      count: "best",
      gone: 100,
      rules: { soft17: "stand" },
    };
    expect(readAddress(address(asked))).toEqual(asked);
  });
  it("asks for nothing that is empty", () => {
    expect(question({ ...NOTHING, decks: 6, meters: { MEGA: "" } }).toString()).toBe("decks=6");
    expect(question({ ...NOTHING, decks: 5 }, [6, 8]).get("any_decks")).toBe("true");
  });
  it("reads a fraction", () => {
    expect(ratio("1/4")).toBe(0.25);
  });
});
