/** Money is integer cents everywhere; here it is formatted. */

export const CHIPS: readonly number[] = [50, 100, 500, 1000, 2500, 10000];

export function dollars(cents: number): string {
  const sign = cents < 0 ? "-" : "";
  const size = Math.abs(cents);
  const wholeDollars = Math.floor(size / 100).toLocaleString("en-US");
  const rest = size % 100;
  return `${sign}$${wholeDollars}${rest ? `.${String(rest).padStart(2, "0")}` : ""}`;
}

/** "+$45", "-$5", "$0". */
export function signed(cents: number): string {
  return cents > 0 ? `+${dollars(cents)}` : dollars(cents);
}

/** What is printed on a chip. */
export function chipFace(cents: number): string {
  return cents < 100 ? `${cents}¢` : String(cents / 100);
}

/** A chip's colour, which tokens.css sets. */
export function chipColour(cents: number): string {
  return `var(--chip-${CHIPS.includes(cents) ? cents : "other"})`;
}

/** A stack as a dealer would build it, the largest chip at the bottom. */
export function stack(cents: number): number[] {
  const built: number[] = [];
  let left = cents;
  for (const chip of [...CHIPS].reverse()) {
    while (left >= chip) {
      built.push(chip);
      left -= chip;
    }
  }
  return built;
}
