/** Names as players read them: of games, wagers and the lines of a paytable. */
import { text } from "../messages/text";
import { capital } from "./codes";
import type { LayoutCard } from "./wire";

/** "the-brook" becomes "The Brook". */
export function gameTitle(slug: string): string {
  return slug.split("-").map(capital).join(" ");
}

/** A layout as players read it: a game's usual layout has the game's own name. */
export const layoutTitle = (card: { slug: string }) => gameTitle(card.slug);

/** What the lines of the paytables are called, by wager. */
export type Titles = Readonly<Record<string, Readonly<Record<string, string>>>>;

export function titlesOf(card: LayoutCard): Titles {
  const lines = (wager: LayoutCard["wagers"][number]) => wager.paytable?.lines ?? [];
  return Object.fromEntries(
    card.wagers.map((wager) => [wager.name, Object.fromEntries(lines(wager).map((line) => [line.event, line.title]))]),
  );
}

const INSURANCE = "insurance/";

/** A wager's name for people: insurance is booked under a code of its own. */
export const isInsurance = (wager: string): boolean => wager.startsWith(INSURANCE);

export function wagerTitle(wager: string): string {
  return wager.startsWith(INSURANCE) ? text("wager.insurance", { wager: wager.slice(INSURANCE.length) }) : wager;
}
