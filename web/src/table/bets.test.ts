import { describe, expect, it } from "vitest";
import {
  clear,
  doubled,
  empty,
  handedIn,
  inOrder,
  NO_BETS,
  offered,
  place,
  rebet,
  staked,
  undo,
  type Bets,
} from "./bets";
import type { Circle } from "../lib/wire";

const circle = (name: string, more: Partial<Circle> = {}): Circle => ({
  name,
  felt_name: name,
  role: "side",
  least: 200,
  most: 1000,
  step: 50,
  amounts: [],
  equals: "",
  late: false,
  off: "",
  aggregate_limit: null,
  limits: "$2 to $10",
  conditions: [],
  paytable: null,
  ...more,
});
const ANTE = circle("Ante", { role: "main", least: 500 });
const BIGGER = circle("Bet Bigger 2", { role: "bigger", equals: "Ante", least: 1, most: 0 });
const SIDE = circle("Lucky Ladies");
const FIXED = circle("Jackpot", { role: "jackpot", amounts: [500, 1000], limits: "$5 or $10" });
const ALL = [ANTE, BIGGER, SIDE, FIXED];

const put = (bets: Bets, circle: Circle, chip = 500, free = 100_000) => place(bets, 3, circle, chip, ALL, free);

describe("where a spot may make two wagers, one of them small", () => {
  const limit = { most: 2, small: 500 };
  const bet = (bets: Bets, circle: Circle, chip: number) => place(bets, 3, circle, chip, ALL, 100_000, {}, limit);
  const OTHER = circle("Suited Royals");

  it("the second is kept small, or the first is lowered before", () => {
    const main = bet(NO_BETS, ANTE, 1000).bets;
    const kept = bet(main, SIDE, 1000);
    expect(kept.bets.draft[3]).toEqual({ Ante: 1000, "Lucky Ladies": 500 });
    expect(kept.notice).toBe("Of 2 wagers on a spot, one must be $5 or less.");
    const lowered = bet(empty(main, 3, ANTE, ALL), ANTE, 500).bets;
    expect(bet(lowered, SIDE, 1000).bets.draft[3]).toEqual({ Ante: 500, "Lucky Ladies": 1000 });
  });

  it("the only small one is not raised, and a third is refused", () => {
    const two = bet(bet(NO_BETS, ANTE, 1000).bets, SIDE, 500).bets;
    expect(bet(two, SIDE, 500).bets.draft[3]).toEqual({ Ante: 1000, "Lucky Ladies": 500 });
    const third = bet(two, OTHER, 500);
    expect(third.bets).toBe(two);
    expect(third.notice).toBe("At most 2 wagers may be made on one spot.");
  });

  it("a wager of one fixed amount above it is refused", () => {
    const dear = circle("Jackpot", { role: "jackpot", amounts: [1000], limits: "$10" });
    expect(bet(bet(NO_BETS, ANTE, 1000).bets, dear, 500).bets.draft[3]).toEqual({ Ante: 1000 });
  });
});

describe("chips", () => {
  it("add up in a circle and are trimmed to its limit, with a word", () => {
    let made = put(NO_BETS, ANTE);
    made = put(made.bets, ANTE);
    expect(made.bets.draft[3]).toEqual({ Ante: 1000 });
    expect(made.notice).toBe("");
    made = put(made.bets, ANTE);
    expect(made.bets.draft[3]).toEqual({ Ante: 1000 });
    expect(made.notice).toBe("The maximum Ante is $10.");
    expect(put(NO_BETS, ANTE, 2500).bets.draft[3]).toEqual({ Ante: 1000 });
  });

  it("on a bigger circle equal the Ante, follow it, and go with it", () => {
    expect(put(NO_BETS, BIGGER).notice).toContain("Bet on the Ante first");
    let bets = put(put(NO_BETS, ANTE).bets, BIGGER).bets;
    expect(bets.draft[3]).toEqual({ Ante: 500, "Bet Bigger 2": 500 });
    bets = put(bets, ANTE).bets;
    expect(bets.draft[3]).toEqual({ Ante: 1000, "Bet Bigger 2": 1000 });
    expect(empty(bets, 3, ANTE, ALL).draft).toEqual({});
  });

  it("on a fixed circle step through its amounts", () => {
    let made = put(NO_BETS, FIXED, 50);
    expect(made.bets.draft[3]).toEqual({ Jackpot: 500 });
    made = put(made.bets, FIXED, 50);
    expect(made.bets.draft[3]).toEqual({ Jackpot: 1000 });
    expect(put(made.bets, FIXED, 50).notice).toBe("The limits of Jackpot are $5 or $10.");
  });

  it("cannot be more than one has", () => {
    const made = put(put(NO_BETS, ANTE, 500, 600).bets, SIDE, 500, 600);
    expect(made.bets.draft[3]).toEqual({ Ante: 500 });
    expect(made.notice).toBe("You have $1 left.");
  });

  it("are taken back one by one, or all at once, and undo undoes that too", () => {
    let bets = put(put(put(NO_BETS, ANTE).bets, SIDE).bets, SIDE, 100).bets;
    expect(staked(bets.draft)).toBe(1100);
    bets = undo(bets);
    expect(bets.draft[3]).toEqual({ Ante: 500, "Lucky Ladies": 500 });
    bets = clear(bets);
    expect(bets.draft).toEqual({});
    bets = undo(bets);
    expect(staked(bets.draft)).toBe(1000);
    expect(undo(undo(undo(undo(bets)))).draft).toEqual({});
  });

  it("of the round before come again, where one still sits and can pay", () => {
    const bets = handedIn(put(put(NO_BETS, ANTE).bets, SIDE).bets);
    expect(bets.draft).toEqual({});
    expect(rebet(bets, [3], ALL, 5000).bets.draft).toEqual({ 3: { Ante: 500, "Lucky Ladies": 500 } });
    expect(rebet(bets, [4], ALL, 5000).notice).toBe("There is no bet to repeat yet.");
    expect(rebet(bets, [3], ALL, 900).notice).toBe("The last bet was $10; you have $9.");
  });

  it("are handed in with the main wager first, whatever came down first", () => {
    const bets = put(put(NO_BETS, SIDE).bets, ANTE).bets;
    expect(Object.keys(inOrder(bets.draft[3] ?? {}, ALL))).toEqual(["Ante", "Lucky Ladies"]);
  });

  it("keep the circles that other rules still have, in the draft and of the round before", () => {
    const bets = put(put(handedIn(put(put(NO_BETS, ANTE).bets, SIDE).bets), SIDE).bets, FIXED).bets;
    expect(offered(bets, [ANTE, SIDE])).toEqual({
      bets: {
        draft: { 3: { "Lucky Ladies": 500 } },
        past: [{}, { 3: { "Lucky Ladies": 500 } }],
        last: { 3: { Ante: 500, "Lucky Ladies": 500 } },
      },
      notice: "",
    });
    expect(offered(bets, [ANTE]).bets.draft).toEqual({});
  });

  it("say why a wager is off, come back from it, and are repeated without it", () => {
    const off = { ...SIDE, off: "off/shuffled-by-hand", limits: "off: the shoe is shuffled by hand" };
    const why = "Lucky Ladies is off: the shoe is shuffled by hand.";
    expect(put(NO_BETS, off).notice).toBe(why);
    const bets = put(put(NO_BETS, ANTE).bets, SIDE).bets;
    const left = offered(bets, [ANTE, off]);
    expect([left.bets.draft, left.notice]).toEqual([{ 3: { Ante: 500 } }, why]);
    expect(undo(left.bets).draft).toEqual({ 3: { Ante: 500 } });
    const again = rebet(handedIn(bets), [3], [ANTE, off], 5000);
    expect([again.bets.draft, again.notice]).toEqual([{ 3: { Ante: 500 } }, why]);
    expect(rebet(handedIn(bets), [3], [ANTE, SIDE], 5000).bets.draft).toEqual(bets.draft);
  });

  it("double as far as each circle allows, and say which are at their limit", () => {
    const bets = put(put(put(put(NO_BETS, ANTE).bets, BIGGER).bets, SIDE, 700).bets, FIXED).bets;
    expect(doubled(bets, ALL, 100_000).notice).toContain("Lucky Ladies");
    expect(doubled(bets, ALL, 100_000).notice).not.toContain("Ante");
    expect(doubled(bets, ALL, 100_000).bets.draft[3]).toEqual({
      Ante: 1000,
      "Bet Bigger 2": 1000,
      "Lucky Ladies": 1000,
      Jackpot: 1000,
    });
  });
});
