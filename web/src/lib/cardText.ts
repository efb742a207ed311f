/** Cards and totals in words, as a dealer says them. */
import { text, type TextKey } from "../messages/text";
import { HOLE, type Hand } from "./feltState";

const RANKS = "A23456789TJQK";
const SUITS = "cdhs";

/** "queen of hearts". */
export function cardName(card: string): string {
  if (card === HOLE) return text("card.face_down");
  const [rank = "", suit = ""] = card;
  if (!rank || !suit || !RANKS.includes(rank) || !SUITS.includes(suit)) return card;
  return text("card.name", { rank: text(`rank.${rank}` as TextKey), suit: text(`suit.${suit}` as TextKey) });
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
  return soft && best < 21 ? text("total.soft", { low: best - 10, high: best }) : String(best);
}

/** "7 or 17" while the hand is played, "17" once it has its result. */
export function handTotal(hand: Hand): string {
  if (!hand.cards.length) return "";
  const { best } = total(hand.cards);
  const natural = hand.cards.length === 2 && !hand.split && best === 21;
  if (natural) return text("total.blackjack");
  return hand.result === null ? points(hand.cards) : String(best);
}

export function dealerTotal(cards: readonly string[], over = false): string {
  const faceUp = cards.filter((card) => card !== HOLE);
  if (!faceUp.length) return "";
  if (faceUp.length < cards.length || faceUp.length === 1)
    return text("total.shows", { total: faceUp[0]?.[0] === "A" ? text("total.an_ace") : points(faceUp) });
  const { best } = total(faceUp);
  if (faceUp.length === 2 && best === 21) return text("total.blackjack");
  if (best > 21) return text("total.bust", { total: best });
  return over ? String(best) : points(faceUp);
}
