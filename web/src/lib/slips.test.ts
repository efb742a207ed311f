import { describe, expect, it } from "vitest";
import { odds, outcome, payText, percent, slipReason, slipSentence } from "./slips";
import { titlesOf, wagerTitle } from "./titles";
import type { LayoutCard, Slip } from "./wire";
import { eventText } from "./eventText";

const slip: Slip = {
  spot: 1,
  player: "Ann",
  wager: "Lucky Ladies",
  stake: 500,
  paid: 4500,
  returned: 500,
  reason: "event-paid",
  won: "suited-20",
  pays: "9",
};
const titles = { "Lucky Ladies": { "suited-20": "Suited 20" } };
const claim = { jackpot: "MEGA", share: "1/4" };

describe("a slip", () => {
  it("is explained by its code, with its net", () => {
    expect(slipSentence(slip, titles)).toBe("Suited 20 pays 9 to 1: +$45");
    expect(slipSentence({ ...slip, reason: "blackjack", pays: "3/2" }, {})).toBe("Blackjack pays 3:2: +$45");
    expect(slipReason({ ...slip, reason: "bust", points: 23 }, {})).toBe("bust with 23");
    expect(slipReason({ ...slip, reason: "surrender", kept: "1/2" }, {})).toBe("surrendered: 50% returned");
  });

  it("names the event itself where its paytable is not known, and a later version's reason as it is", () => {
    expect(slipReason(slip, {})).toBe("Suited 20 pays 9 to 1");
    expect(slipReason({ ...slip, reason: "moon-phase" }, {})).toContain("slip/moon-phase");
  });

  it("says what cut the payout or added to it", () => {
    const cut = { ...slip, cap: 100_000, promotion: 2500, limit: 500_000 };
    expect(slipReason(cut, titles)).toBe(
      "Suited 20 pays 9 to 1, at most $1,000 per hand, and a promotion of $25, " +
        "reduced: all winners share the posted limit of $5,000 per deal",
    );
  });

  it("leaves a jackpot to the floor", () => {
    const won: Slip = { ...slip, reason: "jackpot", paid: 0, claim };
    expect(slipSentence(won, titles)).toBe("Suited 20 wins 25% of MEGA, to be paid by the floor: $0");
    expect(outcome(won)).toBe("jackpot");
    expect(payText(won)).toBe("call the floor for a jackpot; the stake stays");
  });

  it("is won, lost or a push", () => {
    expect(outcome(slip)).toBe("won");
    expect(outcome({ ...slip, paid: 0 })).toBe("push");
    expect(outcome({ ...slip, paid: 0, returned: 0 })).toBe("lost");
  });

  it("tells a dealer what to do with the chips", () => {
    expect(payText(slip)).toBe("pay $45");
    expect(payText({ ...slip, returned: 0 })).toBe("pay $45, take the stake of $5");
    expect(payText({ ...slip, paid: 0 })).toBe("push: leave the stake");
    expect(payText({ ...slip, paid: 0, returned: 250 })).toBe("take $2.50, give $2.50 back");
    expect(payText({ ...slip, paid: 0, returned: 0 })).toBe("take $5");
  });

  it("is told in the log by its wager, insurance too", () => {
    expect(eventText({ ...slip, event: "slip" }, "Ann", titles)).toBe("Lucky Ladies: Suited 20 pays 9 to 1: +$45.");
    const insured = { ...slip, event: "slip", wager: "insurance/Ante", reason: "insurance-lost", paid: 0, returned: 0 };
    expect(eventText(insured, "Bob", titles)).toBe("Spot 1, Insurance of Ante: The dealer has no blackjack: -$5.");
    expect(wagerTitle("Ante")).toBe("Ante");
  });
});

describe("what a slip is paid by", () => {
  it("is written as a felt prints it", () => {
    expect([odds("9", false), odds("3/2", false)]).toEqual(["9 to 1", "3:2"]);
    expect([odds("25", true), odds("5/2", true)]).toEqual(["25 for 1", "5 for 2"]);
    expect([percent("1"), percent("1/4"), percent("1/8"), percent("1/1000")]).toEqual(["100%", "25%", "12.5%", "0.1%"]);
    expect([percent("1/3"), percent("2/3")]).toEqual(["100/3%", "200/3%"]);
  });

  it("has its titles from the layout's card", () => {
    const lines = [{ event: "suited-20", title: "Suited 20", pays: "9" }];
    const paytable = { name: "x", basis: "to 1", lines };
    const card = {
      wagers: [
        { name: "Lucky Ladies", paytable },
        { name: "Ante", paytable: null },
      ],
    };
    expect(titlesOf(card as unknown as LayoutCard)).toEqual({ ...titles, Ante: {} });
  });
});
