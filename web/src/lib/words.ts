/** Cards, totals, results and events in words; the felt, its labels and the log say the same. */
import { capital, fill, FORMATS, sentenceOf, type Details, type Formats } from "./codes";
import { ENTRIES, EVENTS, PHASES, RESULTS } from "./events";
import { HOLE, type Hand } from "./felt";
import { dollars } from "./money";
import { slipSentence, wagerTitle, type Titles } from "./slips";
import type { GameEvent, Slip } from "./wire";

const RANKS: Record<string, string> = {
  A: "ace",
  K: "king",
  Q: "queen",
  J: "jack",
  T: "ten",
  "9": "nine",
  "8": "eight",
  "7": "seven",
  "6": "six",
  "5": "five",
  "4": "four",
  "3": "three",
  "2": "two",
};
const SUITS: Record<string, string> = { c: "clubs", d: "diamonds", h: "hearts", s: "spades" };
/** "queen of hearts". */
export function cardName(card: string): string {
  return card === HOLE ? "a card face down" : `${RANKS[card[0] ?? ""]} of ${SUITS[card[1] ?? ""]}`;
}

export function total(cards: readonly string[]): { best: number; soft: boolean } {
  let sum = 0;
  let aces = 0;
  for (const card of cards) {
    const rank = card[0] ?? "";
    if (rank === HOLE) continue;
    if (rank === "A") aces += 1;
    sum += rank === "A" ? 1 : "TJQK".includes(rank) ? 10 : Number(rank);
  }
  const soft = aces > 0 && sum + 10 <= 21;
  return { best: soft ? sum + 10 : sum, soft };
}

/** "7 or 17". */
export function points(cards: readonly string[]): string {
  const { best, soft } = total(cards);
  return soft && best < 21 ? `${best - 10} or ${best}` : String(best);
}

export function handTotal(hand: Hand): string {
  if (!hand.cards.length) return "";
  const natural = hand.cards.length === 2 && !hand.split && total(hand.cards).best === 21;
  return natural ? "Blackjack" : points(hand.cards);
}

export function resultWord(result: string | null): string {
  return result === null ? "" : (RESULTS[result] ?? result);
}

export function phaseWord(phase: string): string {
  return PHASES[phase] ?? phase;
}

export function dealerTotal(cards: readonly string[]): string {
  const shown = cards.filter((card) => card !== HOLE);
  if (!shown.length) return "";
  if (shown.length < cards.length || shown.length === 1)
    return `shows ${shown[0]?.[0] === "A" ? "an ace" : points(shown)}`;
  const { best } = total(shown);
  if (shown.length === 2 && best === 21) return "Blackjack";
  return best > 21 ? `${best}, bust` : points(shown);
}

/** A game as guests call it: "the-brook" is The Brook. */
export function gameTitle(slug: string): string {
  return slug.split("-").map(capital).join(" ");
}

/** Where a card went that was entered: "spot 2", "the dealer's up card". */
export function placeText(place: Details): string {
  switch (place["code"]) {
    case "awaiting/player-card":
      return `spot ${String(place["spot"])}`;
    case "awaiting/dealer-card":
      return "the dealer";
    default:
      return sentenceOf(place);
  }
}

export const EVENT_FORMATS: Formats = {
  ...FORMATS,
  card: (card) => cardName(card as string),
  hand: (hand) => (hand ? `, hand ${(hand as number) + 1}` : ""),
  sum: (amounts) => dollars(Object.values(amounts as Record<string, number>).reduce((sum, one) => sum + one, 0)),
  blackjack: (blackjack) => (blackjack ? "blackjack" : "no blackjack"),
  shuffler: (shuffler) => (shuffler === "hand" ? "hand" : "machine"),
  entry: (entry) => entryText(entry as Details),
};

function entryText(entry: Details): string {
  const entered = String(entry["do"]);
  const card = entry["card"] === null ? { card: HOLE } : {};
  return fill(ENTRIES[entered] ?? entered, { ...entry, ...card }, EVENT_FORMATS);
}

/** What a dealer would say of an event; null: nothing. */
export function told(event: GameEvent, me = "", titles: Titles = {}): string | null {
  if (event.event === "slip") {
    const slip = event as unknown as Slip;
    const whose = slip.player === me ? "" : `Spot ${slip.spot}, `;
    return `${whose}${wagerTitle(slip.wager)}: ${slipSentence(slip, titles)}.`;
  }
  if (event.event === "round-over" && !event["void"]) return null;
  return fill(EVENTS[event.event] ?? "", event, EVENT_FORMATS) || null;
}
