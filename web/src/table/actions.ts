/** The decisions that a player may make now: their buttons and keys. */
import { dollars } from "../lib/money";
import type { Choice } from "../lib/wire";

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

/** The choices of the first spot that is to decide: a player with several spots decides one at a time. */
export function currentDecisions(actions: readonly Choice[]): Choice[] {
  const spot = Math.min(...actions.map((choice) => choice.spot ?? 99));
  return actions.filter((choice) => choice.spot === spot).sort((a, b) => ORDER.indexOf(a.do) - ORDER.indexOf(b.do));
}

/** What a choice costs at most. */
export function price(choice: Choice): number {
  return Object.values(choice.amounts ?? {}).reduce((sum, range) => sum + range.most, 0);
}

/** The button of something that the player declined and may still take. */
export function stillText(choice: Choice, severalSpots: boolean): string {
  const what = choice.do === "insure" ? `Insurance after all ${dollars(price(choice))}` : "Even money after all";
  return severalSpots ? `Spot ${choice.spot}: ${what.toLowerCase()}` : what;
}

export function canBeLess(choice: Choice): boolean {
  return choice.do === "double" && Object.values(choice.amounts ?? {}).some((range) => range.least < range.most);
}
