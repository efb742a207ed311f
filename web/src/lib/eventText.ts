/** Events, results and phases in words: for the log of a table and the audit trail. */
import { text } from "../messages/text";
import { fill, FORMATS, sentenceOf, type Details, type Formats } from "./codes";
import { current } from "../messages/language";
import { HOLE } from "./feltState";
import { dollars } from "./money";
import { slipSentence } from "./slips";
import { wagerTitle, type Titles } from "./titles";
import type { GameEvent, Slip } from "./wire";

export function resultWord(result: string | null): string {
  return result === null ? "" : (current().results[result] ?? result);
}

export function phaseWord(phase: string): string {
  return current().phases[phase] ?? phase;
}

/** Where a card went that was entered: "spot 2", "the dealer's up card". */
export function placeText(place: Details): string {
  switch (place["code"]) {
    case "awaiting/player-card":
      return text("place.spot", { spot: place["spot"] });
    case "awaiting/dealer-card":
      return text("place.dealer");
    case "awaiting/hole-card-reveal":
      return text("place.hole_card");
    default:
      return sentenceOf(place);
  }
}

export const EVENT_FORMATS: Formats = {
  ...FORMATS,
  hand: (hand) => (hand ? text("event.of_hand", { hand: (hand as number) + 1 }) : ""),
  sum: (amounts) => dollars(Object.values(amounts as Record<string, number>).reduce((sum, amount) => sum + amount, 0)),
  wager: (wager) => wagerTitle(wager as string),
  blackjack: (blackjack) => text(blackjack ? "event.blackjack" : "event.no_blackjack"),
  shuffler: (shuffler) => text(shuffler === "hand" ? "event.by_hand" : "event.by_machine"),
  entry: (entry) => entryText(entry as Details),
};

function entryText(entry: Details): string {
  const entered = String(entry["do"]);
  const card = entry["card"] === null ? { card: HOLE } : {};
  return fill(current().entries[entered] ?? entered, { ...entry, ...card }, EVENT_FORMATS);
}

/** The log's line for an event; null where the log says nothing. */
export function eventText(event: GameEvent, me = "", titles: Titles = {}): string | null {
  if (event.event === "slip") {
    const slip = event as unknown as Slip;
    const whose = slip.player === me ? "" : text("event.spot_prefix", { spot: slip.spot });
    return `${whose}${wagerTitle(slip.wager)}: ${slipSentence(slip, titles)}.`;
  }
  if (event.event === "round-over" && !event["void"]) return null;
  return fill(current().events[event.event] ?? "", event, EVENT_FORMATS) || null;
}
