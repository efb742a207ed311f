/** The sentence above the player's buttons: what happens at the table, and what to do. */
import type { Choice } from "../lib/wire";
import type { LiveTable } from "./liveTable.svelte";

export function statusLine(live: LiveTable, decisions: readonly Choice[], wantsSeat: boolean): string {
  if (!live.state) return "";
  if (!live.connection.connected) return "The connection is lost: it is made again, and your seat is kept.";
  if (!live.state.open) return "This table is closed.";
  if (!live.ownSpots.length && wantsSeat) return "A round is being played: you are seated when it is over.";
  if (!live.ownSpots.length) return "Choose a spot to sit down.";
  if (decisions.some((choice) => choice.do === "even-money")) return "The dealer shows an ace. Even money?";
  if (decisions.some((choice) => choice.do === "insure")) return "The dealer shows an ace. Insurance?";
  if (decisions.length) return live.ownSpots.length > 1 ? `Spot ${decisions[0]?.spot}: your turn.` : "Your turn.";
  if (live.playing) return "";
  if (live.isLate) return "The dealer has peeked: last wagers, then go on.";
  if (live.betting) return live.hasWagers ? "Your chips are down." : "Place your bets.";
  if (live.isReady) return "Waiting for the others.";
  const turn = live.state.round?.turn;
  return turn ? `Spot ${turn.spot} plays.` : "";
}
