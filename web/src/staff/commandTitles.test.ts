import { expect, test } from "vitest";
import { commandDetails, commandTitle } from "./commandTitles";

test("an order is called what the floor calls it, and its amounts are dollars", () => {
  const bet = { do: "bet", table: "T1", spot: 2, stakes: { Ante: 1000, "Top 3": 150 } };
  expect(commandTitle(bet)).toBe("Bet");
  expect(commandDetails(bet)).toBe("spot 2 · stakes Ante $10, Top 3 $1.50");
  const cap = { do: "house", request: { order: "set-cap", jackpot: "Ladies", cap: 1234500 } };
  expect(`${commandTitle(cap)}: ${commandDetails(cap)}`).toBe("Set a cap: jackpot Ladies · cap $12,345");
});

test("chips are told as they were counted", () => {
  const chips = [
    { denomination: 10000, count: 4 },
    { denomination: 2500, count: 2 },
  ];
  expect(commandDetails({ do: "fill", table: "T1", amount: 450_00, chips })).toBe(
    "amount $450 · chips 4 of $100, 2 of $25",
  );
});

test("a field that says nothing is left out, and an unknown order keeps its name", () => {
  expect(commandDetails({ do: "fill", table: "T1", amount: 500_00, why: "" })).toBe("amount $500");
  expect(commandTitle({ do: "brand-new" })).toBe("Brand new");
});
