import { describe, expect, it } from "vitest";
import type { Slip } from "../lib/wire";
import { paymentsBySpot } from "./payments";

function slip(spot: number, wager: string, stake: number, paid: number, returned: number): Slip {
  return { spot, player: `Guest ${spot}`, wager, stake, paid, returned, reason: "win" };
}

describe("what to pay", () => {
  const side = slip(3, "Double Action", 500, 2500, 500);
  const pays = [side, slip(1, "Ante", 1000, 1500, 1000), slip(3, "Ante", 1000, 0, 0), slip(1, "Bonus", 500, 0, 0)];

  it("is grouped by spot, in the order of payment, with the sums of each", () => {
    const groups = paymentsBySpot(pays, []);
    expect(groups.map((group) => [group.spot, group.pay, group.take])).toEqual([
      [3, 2500, 1000],
      [1, 1500, 500],
    ]);
    expect(groups[1]?.slips.map((entry) => entry.wager)).toEqual(["Ante", "Bonus"]);
  });

  it("leaves out of the sums what was settled while the round went on", () => {
    const groups = paymentsBySpot(pays, [side]);
    expect(groups.map((group) => [group.spot, group.pay, group.take])).toEqual([
      [1, 1500, 500],
      [3, 0, 1000],
    ]);
    expect(groups[1]?.slips).toHaveLength(2);
  });
});
