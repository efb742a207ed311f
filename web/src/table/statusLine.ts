/** The sentence above the player's buttons: what happens at the table, and what to do. */
import { text } from "../messages/text";
import { capital } from "../lib/codes";
import { dealerTotal, handTotal } from "../lib/cardText";
import { net } from "../lib/slips";
import type { Choice } from "../lib/wire";
import type { LiveTable } from "./liveTable.svelte";

function decisionText(decisions: readonly Choice[]): string {
  if (decisions.some((choice) => choice.do === "even-money")) return text("status.even_money");
  if (decisions.some((choice) => choice.do === "insure")) return text("status.insurance");
  return text("status.your_turn");
}

export function statusLine(live: LiveTable, decisions: readonly Choice[], wantsSeat: boolean): string {
  if (!live.state) return "";
  if (!live.connection.connected) return text("status.lost");
  if (!live.state.open) return text("status.closed");
  if (!live.ownSpots.length && wantsSeat) return text("status.seated_later");
  if (!live.ownSpots.length) return text("status.choose_spot");
  if (decisions.length) {
    const question = decisionText(decisions);
    return live.ownSpots.length > 1
      ? text("status.of_spot", { spot: decisions[0]?.spot, what: question })
      : capital(question);
  }
  if (live.mayStillTake.length) return text("status.declined");
  if (live.playing) return "";
  if (live.isLate) {
    const beforePeek = live.state.round?.awaits["code"] === "awaiting/wagers-before-the-peek";
    return beforePeek ? text("status.before_peek") : text("status.after_peek");
  }
  if (live.betting) return live.hasWagers ? text("status.placed") : text("status.place");
  if (live.isReady) return text("status.waiting");
  const turn = live.state.round?.turn;
  return turn ? text("status.playing", { spot: turn.spot }) : "";
}

/** What a player who does not see the felt needs to hear: their total when they decide, and what the round brought. */
export function announcement(live: LiveTable, decisions: readonly Choice[]): string {
  const { felt } = live;
  if (live.playing) return "";
  if (felt.over && live.results.length) {
    const sum = live.results.reduce((all, slip) => all + net(slip), 0);
    const key = sum > 0 ? "announce.won" : sum < 0 ? "announce.lost" : "announce.even";
    return text(key, { amount: Math.abs(sum), chips: live.bankroll });
  }
  const spot = decisions[0]?.spot;
  if (spot == null) return "";
  const hands = felt.spots[spot]?.hands ?? [];
  const at = felt.turn?.spot === spot ? felt.turn.hand : 0;
  const hand = hands[at];
  if (!hand) return "";
  const total = text("announce.total", { total: handTotal(hand), dealer: dealerTotal(felt.dealer) });
  const several = hands.length > 1;
  if (live.ownSpots.length > 1)
    return text(several ? "announce.of_spot_and_hand" : "announce.of_spot", { spot, hand: at + 1, total });
  return several ? text("announce.of_hand", { hand: at + 1, total }) : capital(total);
}
