/** Chips counted by denomination, as a cage does it. */
import { dollars } from "../lib/money";

export const DENOMINATIONS = [1000_00, 500_00, 100_00, 25_00, 5_00, 1_00, 50] as const;

export type Counts = Readonly<Record<number, string>>;

export interface ChipsCounted {
  denomination: number;
  count: number;
}

/** The chips of each denomination, in whole numbers; null if a count is none. */
export function chipsCounted(counts: Counts): ChipsCounted[] | null {
  const chips: ChipsCounted[] = [];
  for (const denomination of DENOMINATIONS) {
    const text = (counts[denomination] ?? "").trim();
    if (!text) continue;
    if (!/^\d{1,6}$/.test(text)) return null;
    if (Number(text)) chips.push({ denomination, count: Number(text) });
  }
  return chips;
}

/** "4 of $100, 2 of $25". */
export function chipsText(chips: readonly ChipsCounted[]): string {
  return chips.map(({ denomination, count }) => `${count} of ${dollars(denomination)}`).join(", ");
}

/** The total in cents; null if a count is not a whole number. */
export function total(counts: Counts): number | null {
  const chips = chipsCounted(counts);
  return chips && chips.reduce((sum, { denomination, count }) => sum + denomination * count, 0);
}

/** Whether anything was typed: an empty tray is counted with a zero. */
export function isCounted(counts: Counts): boolean {
  return Object.values(counts).some((typed) => typed.trim() !== "");
}
