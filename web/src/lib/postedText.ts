/** What is posted at a circle, in words. */
import { sentence } from "./codes";
import type { Circle } from "./wire";

/** 004: the most that the house pays on a wager per deal; "" without such a limit. */
export function aggregateText(circle: Circle): string {
  const limit = circle.aggregate_limit;
  return limit == null ? "" : sentence("posted/aggregate-limit", { limit });
}
