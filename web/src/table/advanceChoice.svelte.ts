/** Decisions made without a press when they are due: one chosen in advance, and staying on 21. */
import { total } from "../lib/cardText";
import { settings } from "../lib/settings.svelte";
import type { Choice } from "../lib/wire";
import type { LiveTable } from "./liveTable.svelte";

export interface Ahead {
  round: number;
  spot: number;
  do: string;
}

export class AdvanceChoice {
  private chosen = $state<Ahead | null>(null);

  constructor(private readonly live: LiveTable) {}

  /** The player's next spot to decide while somebody else plays; null when nothing can be chosen in advance. */
  get spot(): number | null {
    const { felt, live } = { felt: this.live.felt, live: this.live };
    if (felt.phase !== "play" || live.actions.length || !felt.turn) return null;
    const { turn } = felt;
    return live.ownSpots.find((spot) => spot > turn.spot && felt.spots[spot]?.hands.some((hand) => !hand.done)) ?? null;
  }

  get action(): string {
    const { chosen, live } = this;
    return chosen && chosen.round === live.felt.round && chosen.spot === this.spot ? chosen.do : "";
  }

  /** Chooses what to do when it is the player's turn; the same once more takes it back. */
  choose(action: string): void {
    const { spot } = this;
    if (spot === null) return;
    this.chosen = this.action === action ? null : { round: this.live.felt.round, spot, do: action };
  }

  /** The choice to make at once among these, if any. A choice made in advance holds for one decision. */
  take(decisions: readonly Choice[]): Choice | null {
    const { live, chosen } = this;
    const spot = decisions[0]?.spot;
    if (spot == null) return null;
    const ahead = chosen && chosen.round === live.felt.round && chosen.spot === spot ? chosen.do : "";
    if (ahead) this.chosen = null;
    const byChoice = decisions.find((choice) => choice.do === ahead);
    return byChoice ?? (settings.stayOn21 ? stayOn21(live, decisions) : null);
  }
}

function stayOn21(live: LiveTable, decisions: readonly Choice[]): Choice | null {
  const { turn, spots } = live.felt;
  const cards = turn ? (spots[turn.spot]?.hands[turn.hand]?.cards ?? []) : [];
  if (total(cards).best !== 21) return null;
  return decisions.find((choice) => choice.do === "stay") ?? null;
}
