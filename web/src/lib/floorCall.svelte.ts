/** Calls for the floor: who at a table has called, and the player's own call from the press of the button on. */
import type { LiveTable } from "../table/liveTable.svelte";
import type { Coded } from "./wire";

/** The player who called, if the notice is a call. */
export function callerOf(notice: Coded): string | null {
  return notice["code"] === "notice/floor-called" ? String(notice["player"]) : null;
}

/** The players at a table who wait for the floor. */
export function callers(notices: readonly Coded[] = []): string[] {
  return notices.map(callerOf).filter((caller) => caller !== null);
}

export class FloorCall {
  private calledAt = $state(-1); // the last record before the player called; the call itself comes after it

  constructor(private readonly table: Pick<LiveTable, "player" | "ownSpots" | "lastRecord" | "state" | "submit">) {}

  /** Whether the player has called and the floor has not come yet. */
  get open(): boolean {
    const { state, player } = this.table;
    if (this.calledAt >= (state?.number ?? 0)) return true;
    return callers(state?.notices).includes(player);
  }

  async make(): Promise<void> {
    if (this.open || !this.table.ownSpots.length) return;
    this.calledAt = this.table.lastRecord;
    if (!(await this.table.submit({ do: "call-floor", player: this.table.player }))) this.calledAt = -1;
  }
}
