/** The sentence above the player's buttons: what happens at the table, and what to do. */
import type { Choice } from "../lib/wire";
import type { LiveTable } from "./liveTable.svelte";

export function statusLine(live: LiveTable, decisions: readonly Choice[], wantsSeat: boolean): string {
  if (!live.state) return "";
  if (!live.connection.connected) return "Connection lost. Reconnecting; your seat is kept.";
  if (!live.state.open) return "This table is closed.";
  if (!live.ownSpots.length && wantsSeat) return "A round is in progress. You will be seated when it ends.";
  if (!live.ownSpots.length) return "Choose a spot to sit down.";
  if (decisions.some((choice) => choice.do === "even-money")) return "The dealer shows an ace. Even money?";
  if (decisions.some((choice) => choice.do === "insure")) return "The dealer shows an ace. Insurance?";
  if (decisions.length) return live.ownSpots.length > 1 ? `Spot ${decisions[0]?.spot}: your turn.` : "Your turn.";
  if (live.mayStillTake.length) return "You declined insurance. You may still take it until it closes.";
  if (live.playing) return "";
  if (live.isLate) {
    const beforePeek = live.state.round?.awaits["code"] === "awaiting/wagers-before-the-peek";
    return beforePeek
      ? "The dealer is about to peek. Place late wagers, then continue."
      : "The dealer has peeked. Place late wagers, then continue.";
  }
  if (live.betting) return live.hasWagers ? "Your bets are placed." : "Place your bets.";
  if (live.isReady) return "Waiting for the others.";
  const turn = live.state.round?.turn;
  return turn ? `Spot ${turn.spot} is playing.` : "";
}
