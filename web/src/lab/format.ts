/** Figures as the lab writes them. */

/** "p/q" as a number, to be written out. */
export function ratio(fraction: string): number {
  const [over, under] = fraction.split("/");
  return Number(over) / Number(under ?? 1);
}

export const percent = (value: number, places = 4) => `${value.toFixed(places)}%`;
export const money = (value: number) =>
  value.toLocaleString("en-US", { style: "currency", currency: "USD", maximumFractionDigits: value < 100 ? 2 : 0 });

export function oneIn(fraction: string): string {
  const chance = ratio(fraction);
  return chance
    ? (1 / chance).toLocaleString("en-US", { maximumFractionDigits: 2, minimumFractionDigits: 2 })
    : "never";
}
