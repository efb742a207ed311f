/** The decisions that a player may make now: their buttons and keys. */
import { text } from "../messages/text";
import { isKeyName } from "../lib/keymap";
import { uncapital } from "../lib/codes";
import { settings } from "../lib/settings.svelte";
import type { Choice } from "../lib/wire";

const ORDER = ["hit", "stay", "double", "split", "surrender", "insure", "even-money", "decline-insurance"] as const;
type Action = (typeof ORDER)[number];
const isAction = (action: string): action is Action => (ORDER as readonly string[]).includes(action);
const place = (action: string): number => (ORDER as readonly string[]).indexOf(action);

export const label = (action: string): string => (isAction(action) ? text(`action.${action}`) : action);
export const key = (action: string): string => (isKeyName(action) ? settings.key(action) : "");

/** The choices of the first spot that is to decide: a player with several spots decides one at a time. */
export function currentDecisions(actions: readonly Choice[]): Choice[] {
  const spot = Math.min(...actions.map((choice) => choice.spot ?? 99));
  return actions.filter((choice) => choice.spot === spot).sort((a, b) => place(a.do) - place(b.do));
}

/** What a choice costs at most. */
export function price(choice: Choice): number {
  return Object.values(choice.amounts ?? {}).reduce((sum, range) => sum + range.most, 0);
}

/** The choices that the player has the chips for: `hand` is what a split of the hand in play costs. */
export function affordable(choices: readonly Choice[], chips: number, hand: number): Choice[] {
  return choices.filter((choice) => {
    if (choice.do === "split") return hand <= chips;
    if (choice.do === "insure") return price(choice) <= chips;
    if (choice.do === "double") return Object.values(choice.amounts ?? {}).some((range) => range.step <= chips);
    return true;
  });
}

/** The most that each wager can be doubled by, alike, with these chips; 0 if not all of them can. */
export function doubledAlike(choice: Choice, chips: number): number {
  const ranges = Object.values(choice.amounts ?? {});
  const step = ranges[0]?.step ?? 1;
  const most = Math.max(...ranges.map((range) => range.most));
  return Math.min(most, Math.floor(chips / ranges.length / step) * step);
}

/** The button of something that the player declined and may still take. */
export function stillText(choice: Choice, severalSpots: boolean): string {
  const amount = price(choice);
  const what = text(choice.do === "insure" ? "still.insurance" : "still.even_money", { amount });
  return severalSpots ? text("status.of_spot", { spot: choice.spot, what: uncapital(what) }) : what;
}

export function canBeLess(choice: Choice): boolean {
  return choice.do === "double" && Object.values(choice.amounts ?? {}).some((range) => range.least < range.most);
}
