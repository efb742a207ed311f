/** Chips counted by denomination, as a cage does it. */
export const DENOMINATIONS = [1000_00, 500_00, 100_00, 25_00, 5_00, 1_00, 50] as const;

export type Counts = Readonly<Record<number, string>>;

/** The total in cents; null if a count is not a whole number. */
export function total(counts: Counts): number | null {
  let sum = 0;
  for (const [cents, typed] of Object.entries(counts)) {
    const text = typed.trim();
    if (!text) continue;
    if (!/^\d{1,6}$/.test(text)) return null;
    sum += Number(cents) * Number(text);
  }
  return sum;
}
