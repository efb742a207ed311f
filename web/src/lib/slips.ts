/** Slips in words: a slip is the settlement of one wager, for the player, the log and the dealer who pays. */
import { capital, sentence } from "./codes";
import { dollars, signed } from "./money";
import type { Titles } from "./titles";
import type { Slip } from "./wire";

export function net(slip: Slip): number {
  return slip.paid + slip.returned - slip.stake;
}

export function outcome(slip: Slip): "won" | "lost" | "push" | "jackpot" {
  if (slip.claim) return "jackpot";
  return net(slip) > 0 ? "won" : net(slip) < 0 ? "lost" : "push";
}

/** "Suited 20 pays 9 to 1: +$45". */
export function slipSentence(slip: Slip, titles: Titles): string {
  const reason = slipReason(slip, titles);
  return `${capital(slip.claim ? `${reason}, to be paid by the floor` : reason)}: ${signed(net(slip))}`;
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
    const paid = slip.paid ? `pay ${dollars(slip.paid)}, and ` : "";
    return `${paid}call the floor for a jackpot${slip.returned ? "; the stake stays" : ""}`;
  }
  if (slip.paid) return `pay ${dollars(slip.paid)}${slip.returned ? "" : `, take the stake of ${dollars(slip.stake)}`}`;
  if (slip.returned === slip.stake) return "push: leave the stake";
  if (slip.returned) return `take ${dollars(slip.stake - slip.returned)}, give ${dollars(slip.returned)} back`;
  return `take ${dollars(slip.stake)}`;
}

/** "9 to 1", "3:2", "25 for 1"; what is sent is units, "3/2". */
export function odds(pays: string, forOne: boolean): string {
  const [units = "", of = "1"] = pays.split("/");
  if (of === "1") return `${units} ${forOne ? "for" : "to"} 1`;
  return forOne ? `${units} for ${of}` : `${units}:${of}`;
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
