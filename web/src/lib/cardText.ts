/** Cards and totals in words, as a dealer says them. */
import { HOLE, type Hand } from "./feltState";

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

export function dealerTotal(cards: readonly string[]): string {
  const faceUp = cards.filter((card) => card !== HOLE);
  if (!faceUp.length) return "";
  if (faceUp.length < cards.length || faceUp.length === 1)
    return `shows ${faceUp[0]?.[0] === "A" ? "an ace" : points(faceUp)}`;
  const { best } = total(faceUp);
  if (faceUp.length === 2 && best === 21) return "Blackjack";
  return best > 21 ? `${best}, bust` : points(faceUp);
}
