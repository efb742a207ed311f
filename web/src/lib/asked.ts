/** What a player is asked now: the buttons, their keys, and the sentence above them. */
import type { LiveTable } from "./live.svelte";
import type { Choice } from "./wire";

export const LABELS: Record<string, [string, string]> = {
  hit: ["Hit", "H"],
  stay: ["Stay", "S"],
  double: ["Double", "D"],
  split: ["Split", "P"],
  surrender: ["Surrender", "R"],
  insure: ["Insurance", "I"],
  "even-money": ["Even money", "E"],
  "decline-insurance": ["No", "N"],
};
const ORDER = Object.keys(LABELS);

export const label = (action: string): string => LABELS[action]?.[0] ?? action;
export const key = (action: string): string => LABELS[action]?.[1] ?? "";

/** One question at a time: of several spots the first is asked first. */
export function askedNow(actions: readonly Choice[]): Choice[] {
  const spot = Math.min(...actions.map((one) => one.spot ?? 99));
  return actions.filter((one) => one.spot === spot).sort((a, b) => ORDER.indexOf(a.do) - ORDER.indexOf(b.do));
}

/** What a choice costs at most. */
export function price(choice: Choice): number {
  return Object.values(choice.amounts ?? {}).reduce((sum, one) => sum + one.most, 0);
}

export function canBeLess(choice: Choice): boolean {
  return choice.do === "double" && Object.values(choice.amounts ?? {}).some((one) => one.least < one.most);
}

/** What happens at the table, as it concerns us. */
export function statusOf(live: LiveTable, asked: readonly Choice[], wantsSeat: boolean): string {
  if (!live.state) return "";
  if (!live.line.connected) return "The connection is lost: it is made again, and your seat is kept.";
  if (!live.state.open) return "This table is closed.";
  if (!live.ownSpots.length && wantsSeat) return "A round is being played: you are seated when it is over.";
  if (!live.ownSpots.length) return "Choose a spot to sit down.";
  if (asked.some((one) => one.do === "even-money")) return "The dealer shows an ace. Even money?";
  if (asked.some((one) => one.do === "insure")) return "The dealer shows an ace. Insurance?";
  if (asked.length) return live.ownSpots.length > 1 ? `Spot ${asked[0]?.spot}: your turn.` : "Your turn.";
  if (live.playing) return "";
  if (live.isLate) return "The dealer has peeked: last wagers, then go on.";
  if (live.betting) return live.standing ? "Your chips are down." : "Place your bets.";
  if (live.isReady) return "Waiting for the others.";
  const turn = live.state.round?.turn;
  return turn ? `Spot ${turn.spot} plays.` : "";
}
