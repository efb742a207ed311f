/** Calls of the floor: who at a table waits for somebody to come, and our own call from the press of the button on. */
import type { LiveTable } from "../table/liveTable.svelte";
import type { Coded } from "./wire";

/** Who has called, where a notice is a call. */
export function callerOf(notice: Coded): string | null {
  return notice["code"] === "notice/floor-called" ? String(notice["player"]) : null;
}

/** Everybody at a table who waits for the floor. */
export function callers(notices: readonly Coded[] = []): string[] {
  return notices.map(callerOf).filter((caller) => caller !== null);
}

export class FloorCall {
  private said = $state(-1); // the last record we had heard when we called: the table is to go on from there

  constructor(private readonly table: Pick<LiveTable, "player" | "ownSpots" | "lastRecord" | "state" | "submit">) {}

  /** Whether we have called and nobody has come yet. */
  get open(): boolean {
    const { state, player } = this.table;
    if (this.said >= (state?.number ?? 0)) return true;
    return callers(state?.notices).includes(player);
  }

  async make(): Promise<void> {
    if (this.open || !this.table.ownSpots.length) return;
    this.said = this.table.lastRecord;
    if (!(await this.table.submit({ do: "call-floor", player: this.table.player }))) this.said = -1;
  }
}
