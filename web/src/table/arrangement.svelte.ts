/** How the table is laid out: around a curve, with the controls beside a low felt, or one below the other. */
import { MediaQuery } from "svelte/reactivity";

export type Arrangement = "wide" | "low" | "tall";

const low = new MediaQuery("(max-height: 560px) and (min-aspect-ratio: 1/1)");
const tall = new MediaQuery("(max-aspect-ratio: 1/1), (max-width: 899px)");
const FULL_SPOTS = 3; // more of the player's spots do not fit side by side with all their circles

export const screen = {
  get arrangement(): Arrangement {
    return low.current ? "low" : tall.current ? "tall" : "wide";
  },
};

/** Whether one of the player's spots shows every circle; the others show cards and the sum of their chips. */
export function showsCircles(arrangement: Arrangement, spot: number, active: number | null, own: number): boolean {
  return spot === active || (arrangement === "wide" && own <= FULL_SPOTS);
}
