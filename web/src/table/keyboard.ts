/** The keys of the felt: everything a mouse can do. */
import { canBeLess } from "./actions";
import { isEmpty } from "./bets";
import type { LiveTable } from "./liveTable.svelte";
import { settings } from "../lib/settings.svelte";
import type { Choice, Circle } from "../lib/wire";

export interface Place {
  spot: number;
  circle: string;
}

export interface Hands {
  live: LiveTable;
  decisions: readonly Choice[];
  chips: readonly number[];
  target: Place | null; // the circle chips go to
  act: (choice: Choice) => void;
  openLess: (choice: Choice) => void;
  hint: () => void;
  put: (spot: number, circle: Circle) => void;
  choose: (place: Place) => void;
  chip: (chip: number) => void;
  open: (what: "rules" | "help" | "history") => void;
}

const STEPS: Record<string, number> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

export function keyPressed(event: KeyboardEvent, hands: Hands): void {
  if (event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
  const on = event.target instanceof HTMLElement ? event.target : document.body;
  if (on.closest("input, select, textarea, dialog")) return;
  const { key } = event;
  const onButton = on.closest("button, a, summary") !== null;
  const onCircle = on.closest("button[data-circle]") !== null;
  const confirms = key === "Enter" ? !onButton || onCircle : key === " " && !onButton;
  if (confirms ? confirm(hands) : decide(key, hands) || bet(key, hands)) event.preventDefault();
}

function confirm({ live }: Hands): boolean {
  if (live.betting) {
    if (isEmpty(live.draft.bets.draft) && !live.hasWagers && !live.isLate) live.draft.rebet();
    else void live.draft.deal();
  }
  return true;
}

function decide(key: string, { live, decisions, act, openLess, hint }: Hands): boolean {
  const name = settings.named(key);
  const choice = [...decisions, ...live.mayStillTake].find((option) => option.do === name);
  const less = name === "less" ? decisions.find(canBeLess) : undefined;
  if (choice) act(choice);
  else if (less) openLess(less);
  else if (name === "hint" && decisions.length) hint();
  else return false;
  return true;
}

function bet(key: string, hands: Hands): boolean {
  const { live, chips, target } = hands;
  const circle = live.layout.wagers.find((wager) => wager.name === target?.circle);
  const step = STEPS[key];
  const chip = /^[1-9]$/.test(key) ? chips[Number(key) - 1] : undefined;
  const name = settings.named(key);
  if (step !== undefined) move(step, hands);
  else if (key === "?") hands.open("help");
  else if (name === "rules" || name === "history") hands.open(name);
  else if (chip !== undefined) {
    hands.chip(chip);
    if (live.betting && target && circle) hands.put(target.spot, circle);
  } else if (key === "Backspace") live.draft.undo();
  else if (key === "Delete" && target && circle) live.draft.takeOff(target.spot, circle);
  else if (name === "clear") live.draft.clear();
  else if (name === "rebet" && live.betting) live.draft.rebet();
  else if (name === "floor") void live.call.make();
  else return false;
  return true;
}

/** To the next circle; the first press goes to the one that is chosen. */
function move(by: number, { target, choose }: Hands): void {
  if (!target) return;
  const all = [...document.querySelectorAll<HTMLButtonElement>("button[data-circle]")];
  const at = all.findIndex(
    (button) => button.dataset["circle"] === target.circle && Number(button.dataset["spot"]) === target.spot,
  );
  const focused = document.activeElement instanceof HTMLElement && document.activeElement.dataset["circle"];
  const next = all[(at + (focused ? by : 0) + all.length) % all.length];
  if (!next) return;
  choose({ spot: Number(next.dataset["spot"]), circle: next.dataset["circle"] ?? "" });
  next.focus();
}
