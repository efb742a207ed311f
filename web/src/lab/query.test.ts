import { describe, expect, it } from "vitest";
import { ratio } from "./format";
import { addressOf, EMPTY_QUERY, readAddress, wagerParams } from "./query";

describe("an address", () => {
  it("carries every setting of the lab and gives it back", () => {
    const query = {
      ...EMPTY_QUERY,
      table: "da6-1",
      decks: 6,
      pays: { straight: "7.5", match: "none" },
      meters: { "THE BIG ONE": "$12,000" },
      wager: "$5",
      count: "best",
      gone: 100,
      rules: { soft17: "stand" },
    };
    expect(readAddress(addressOf(query))).toEqual(query);
  });
  it("asks for nothing that is empty", () => {
    expect(wagerParams({ ...EMPTY_QUERY, decks: 6, meters: { MEGA: "" } }).toString()).toBe("decks=6");
    expect(wagerParams({ ...EMPTY_QUERY, decks: 5 }, [6, 8]).get("any_decks")).toBe("true");
  });
  it("reads a fraction", () => {
    expect(ratio("1/4")).toBe(0.25);
  });
});
