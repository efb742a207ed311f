/** What to pay and collect, spot by spot, in the order in which it is paid. */
import type { Slip } from "../lib/wire";

export interface SpotPayments {
  spot: number;
  player: string;
  slips: Slip[];
  pay: number; // cents that the dealer hands over now
  take: number; // cents that the dealer collects now
}

export function slipKey(slip: Slip): string {
  return `${slip.spot}/${slip.hand ?? ""}/${slip.wager}`;
}

/** The slips of each spot. Spots with something left to pay come first, in the order of payment; what was settled while
 * the round went on was paid then, and is in no total. */
export function paymentsBySpot(pays: readonly Slip[], settled: readonly Slip[]): SpotPayments[] {
  const done = new Set(settled.map(slipKey));
  const left = pays.filter((slip) => !done.has(slipKey(slip)));
  const spots = [...new Set([...left, ...pays].map((slip) => slip.spot))];
  return spots.map((spot) => {
    const slips = pays.filter((slip) => slip.spot === spot);
    const open = slips.filter((slip) => !done.has(slipKey(slip)));
    return {
      spot,
      player: slips[0]?.player ?? "",
      slips,
      pay: open.reduce((sum, slip) => sum + slip.paid, 0),
      take: open.reduce((sum, slip) => sum + slip.stake - slip.returned, 0),
    };
  });
}
