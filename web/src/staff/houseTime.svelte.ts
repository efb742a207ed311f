/** The house as its pages need it: its name, and its time zone, in which staff read every time. */
import * as api from "../lib/api";
import { tellMomentsBy } from "../lib/codes";
import type { components } from "../lib/schema";

type House = components["schemas"]["HouseCard"];

class HouseTime {
  house = $state.raw<House | null>(null);

  /** Reads the house's hours again: once when the console opens, and when they were set. */
  async load(): Promise<void> {
    try {
      this.house = await api.ask<House>("/api/house");
    } catch {
      // until it is there, times are shown in the browser's zone
    }
  }

  get name(): string {
    return this.house?.name ?? "";
  }

  get today(): string {
    return this.house?.today ?? "";
  }

  /** The house's zone, or the browser's until the hours are set. */
  get zone(): string {
    return this.house?.hours?.zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  }

  /** "Nov 18, 2026, 15:04:05". */
  moment(at: string): string {
    return new Date(at).toLocaleString("en-US", {
      timeZone: this.zone,
      dateStyle: "medium",
      timeStyle: "medium",
      hourCycle: "h23",
    });
  }

  /** "15:04:05". */
  clock(at: string): string {
    return new Date(at).toLocaleTimeString("en-GB", { timeZone: this.zone });
  }
}

export const houseTime = new HouseTime();

tellMomentsBy((at) => (houseTime.house?.hours ? houseTime.moment(at) : null));
