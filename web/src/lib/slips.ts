/** Slips in words: a slip is the settlement of one wager, for the player, the log and the dealer who pays. */
import { text } from "../messages/text";
import { capital, sentence } from "./codes";
import { signed } from "./money";
import type { Titles } from "./titles";
import type { Slip } from "./wire";

export function net(slip: Slip): number {
  return slip.paid + slip.returned - slip.stake;
}

export function outcome(slip: Slip): "won" | "lost" | "push" | "jackpot" {
  if (slip.claim) return "jackpot";
  return net(slip) > 0 ? "won" : net(slip) < 0 ? "lost" : "push";
}

/** The chips of a circle after its wagers were settled: what the dealer took, what stays, and what was paid. */
export function settledChips(placed: number, slips: readonly Slip[]): { taken: number; left: number; paid: number } {
  const taken = slips.reduce((sum, slip) => sum + slip.stake - slip.returned, 0);
  return { taken, left: Math.max(0, placed - taken), paid: slips.reduce((sum, slip) => sum + slip.paid, 0) };
}

/** "Suited 20 pays 9 to 1: +$45". */
export function slipSentence(slip: Slip, titles: Titles): string {
  const reason = slipReason(slip, titles);
  return `${capital(slip.claim ? `${reason}, ${text("slip.by_floor")}` : reason)}: ${signed(net(slip))}`;
}

/** Why a slip pays, returns or takes what it does. */
export function slipReason(slip: Slip, titles: Titles): string {
  const parts = [
    sentence(`slip/${slip.reason}`, {
      points: slip.points,
      pays: odds(slip.pays ?? "", slip.for_one ?? false),
      share: percent(slip.claim?.share ?? slip.kept ?? ""),
      jackpot: slip.claim?.jackpot,
      title: slip.won ? (titles[slip.wager]?.[slip.won] ?? capital(slip.won.replaceAll("-", " "))) : "",
    }),
  ];
  if (slip.cap != null) parts.push(sentence("slip/cap", { cap: slip.cap }));
  if (slip.promotion && !slip.claim) parts.push(sentence("slip/promotion", { promotion: slip.promotion }));
  if (slip.limit != null) parts.push(sentence("slip/limit", { limit: slip.limit }));
  return parts.join(", ");
}

/** What a dealer does with the chips of a slip: "pay $15", "take $5". */
export function payText(slip: Slip): string {
  if (slip.claim) {
    const jackpot = text(slip.returned ? "pay.jackpot_stake_stays" : "pay.jackpot");
    return slip.paid ? text("pay.and", { paid: slip.paid, rest: jackpot }) : jackpot;
  }
  const { paid, stake, returned } = slip;
  if (paid) return text(returned ? "pay.pay" : "pay.pay_take_stake", { paid, stake });
  if (returned === stake) return text("pay.push");
  if (returned) return text("pay.take_part", { taken: stake - returned, returned });
  return text("pay.take", { stake });
}

/** "9 to 1", "3:2", "25 for 1"; what is sent is units, "3/2". */
export function odds(pays: string, forOne: boolean): string {
  const [units = "", of = "1"] = pays.split("/");
  if (of === "1") return text(forOne ? "odds.for_one" : "odds.to_one", { units });
  return forOne ? text("odds.for", { units, of }) : `${units}:${of}`;
}

const MOST_PLACES = 14;

/** "25%" for a part like "1/4"; one that no digits end is left a fraction, "100/3%". */
export function percent(part: string): string {
  const [above = "", below = "1"] = part.split("/");
  if (!above) return "";
  const [top, bottom] = [BigInt(above) * 100n, BigInt(below)];
  for (let places = 0n; places <= MOST_PLACES; places += 1n) {
    const scaled = top * 10n ** places;
    if (scaled % bottom) continue;
    const digits = String(scaled / bottom).padStart(Number(places) + 1, "0");
    return places ? `${digits.slice(0, -Number(places))}.${digits.slice(-Number(places))}%` : `${digits}%`;
  }
  const common = divisor(top, bottom);
  return `${top / common}/${bottom / common}%`;
}

function divisor(a: bigint, b: bigint): bigint {
  return b ? divisor(b, a % b) : a;
}
