/** Where the chips of a spot lie: the stake of each circle, and what a double or a split added, as the filing puts it. */
import { text } from "../messages/text";
import type { Spot } from "./feltState";
import type { Circle, LayoutCard } from "./wire";

export interface CircleChips {
  stack: number; // cents in the circle
  added: number; // cents beside it
  side: "left" | "right"; // of the stack, for what was added
  stackedIn: string; // the circle in which this wager's chips now lie, "" for its own
}

type Stakes = Readonly<Record<string, number>>;

export function placedChips(
  spot: Spot | undefined,
  stakes: Stakes,
  circles: readonly Circle[],
  where: LayoutCard["added_wagers"],
): Record<string, CircleChips> {
  const placed: Record<string, CircleChips> = {};
  for (const { name } of circles) placed[name] = { stack: stakes[name] ?? 0, added: 0, side: "right", stackedIn: "" };
  const added = addedStakes(spot);
  if (!Object.keys(added).length) return placed;
  switch (where) {
    case "left of each wager":
      for (const [name, amount] of Object.entries(added)) beside(placed[name], amount, "left");
      break;
    case "beside the wager":
      for (const [name, amount] of Object.entries(added)) beside(placed[name], amount, "right");
      break;
    case "beside the wagers stacked in the Ante circle":
      stackInMain(placed, circles);
      beside(placed[mainOf(circles)], sum(Object.values(added)), "right");
      break;
  }
  return placed;
}

/** What was added to each main wager: the stakes of hands that came from splits, and all doubles. */
function addedStakes(spot: Spot | undefined): Record<string, number> {
  const added: Record<string, number> = {};
  for (const [index, hand] of (spot?.hands ?? []).entries()) {
    for (const stakes of index ? [hand.stakes, hand.doubled] : [hand.doubled]) {
      for (const [name, amount] of Object.entries(stakes)) if (amount) added[name] = (added[name] ?? 0) + amount;
    }
  }
  return added;
}

function stackInMain(placed: Record<string, CircleChips>, circles: readonly Circle[]): void {
  const main = placed[mainOf(circles)];
  for (const { name, role } of circles) {
    const chips = placed[name];
    if (role !== "bigger" || !main || !chips?.stack) continue;
    main.stack += chips.stack;
    Object.assign(chips, { stack: 0, stackedIn: mainOf(circles) });
  }
}

function beside(chips: CircleChips | undefined, amount: number, side: CircleChips["side"]): void {
  if (chips) Object.assign(chips, { added: amount, side });
}

const mainOf = (circles: readonly Circle[]) => circles.find((circle) => circle.role === "main")?.name ?? "";
const sum = (amounts: number[]) => amounts.reduce((all, amount) => all + amount, 0);

/** "$10, and $10 added to the left", for those who hear the felt. */
export function chipsText(chips: CircleChips, dollars: (cents: number) => string): string {
  if (chips.stackedIn) return text("chips.stacked", { circle: chips.stackedIn });
  const stack = chips.stack ? dollars(chips.stack) : text("chips.empty");
  if (!chips.added) return stack;
  return text(chips.side === "left" ? "chips.added_left" : "chips.added_beside", {
    stack,
    added: dollars(chips.added),
  });
}
