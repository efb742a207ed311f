/** Names as players read them: of games, wagers and the lines of a paytable. */
import { capital } from "./codes";
import type { LayoutCard } from "./wire";

/** "the-brook" becomes "The Brook". */
export function gameTitle(slug: string): string {
  return slug.split("-").map(capital).join(" ");
}

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
export function wagerTitle(wager: string): string {
  return wager.startsWith(INSURANCE) ? `Insurance of ${wager.slice(INSURANCE.length)}` : wager;
}
