/** Events, results and phases in words: for the log of a table and the audit trail. */
import { cardName } from "./cardText";
import { fill, FORMATS, sentenceOf, type Details, type Formats } from "./codes";
import { ENTRIES, EVENTS, PHASES, RESULTS } from "./eventSentences";
import { HOLE } from "./feltState";
import { dollars } from "./money";
import { slipSentence } from "./slips";
import { wagerTitle, type Titles } from "./titles";
import type { GameEvent, Slip } from "./wire";

export function resultWord(result: string | null): string {
  return result === null ? "" : (RESULTS[result] ?? result);
}

export function phaseWord(phase: string): string {
  return PHASES[phase] ?? phase;
}

/** Where a card went that was entered: "spot 2", "the dealer's up card". */
export function placeText(place: Details): string {
  switch (place["code"]) {
    case "awaiting/player-card":
      return `spot ${String(place["spot"])}`;
    case "awaiting/dealer-card":
      return "the dealer";
    case "awaiting/hole-card-reveal":
      return "the dealer's hole card";
    default:
      return sentenceOf(place);
  }
}

export const EVENT_FORMATS: Formats = {
  ...FORMATS,
  card: (card) => cardName(card as string),
  hand: (hand) => (hand ? `, hand ${(hand as number) + 1}` : ""),
  sum: (amounts) => dollars(Object.values(amounts as Record<string, number>).reduce((sum, amount) => sum + amount, 0)),
  wager: (wager) => wagerTitle(wager as string),
  blackjack: (blackjack) => (blackjack ? "blackjack" : "no blackjack"),
  shuffler: (shuffler) => (shuffler === "hand" ? "hand" : "machine"),
  entry: (entry) => entryText(entry as Details),
};

function entryText(entry: Details): string {
  const entered = String(entry["do"]);
  const card = entry["card"] === null ? { card: HOLE } : {};
  return fill(ENTRIES[entered] ?? entered, { ...entry, ...card }, EVENT_FORMATS);
}

/** The log's line for an event; null where the log says nothing. */
export function eventText(event: GameEvent, me = "", titles: Titles = {}): string | null {
  if (event.event === "slip") {
    const slip = event as unknown as Slip;
    const whose = slip.player === me ? "" : `Spot ${slip.spot}, `;
    return `${whose}${wagerTitle(slip.wager)}: ${slipSentence(slip, titles)}.`;
  }
  if (event.event === "round-over" && !event["void"]) return null;
  return fill(EVENTS[event.event] ?? "", event, EVENT_FORMATS) || null;
}
