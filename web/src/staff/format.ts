/** Money as staff type it: dollars in, cents out. */
export function cents(typed: string): number | null {
  const text = typed.trim().replace(/[$,\s]/g, "");
  if (!/^\d{1,9}(\.\d{1,2})?$/.test(text)) return null;
  return Math.round(Number(text) * 100);
}

export function percent(part: number | null | undefined): string {
  return part == null ? "–" : `${(part * 100).toFixed(2)}%`;
}

/** A field of a command in words: a text as it is, anything else as it was sent. */
export function valueText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
