/** The cards of a spot on the felt, as a question about its side wagers. */
import { total } from "../lib/cardText";
import type { Felt } from "../lib/feltState";

export interface ShownCards {
  player: string; // the first two cards, in the order they were dealt
  dealer: string;
  totals: string; // of the hands, once the round is over
}

const NONE: ShownCards = { player: "", dealer: "", totals: "" };

/** A pair that was split lies in two hands; of more than two hands the felt does not tell which were the first. */
export function shownCards(felt: Felt, spot: number): ShownCards {
  const hands = felt.spots[spot]?.hands ?? [];
  const player = hands.length === 2 ? hands.map((hand) => hand.cards[0] ?? "") : (hands[0]?.cards.slice(0, 2) ?? []);
  if (hands.length > 2 || player.length < 2 || !felt.dealer.length) return NONE;
  const totals = felt.over ? hands.map((hand) => total(hand.cards).best).join(" ") : "";
  return { player: player.join(" "), dealer: felt.dealer.join(" "), totals };
}
