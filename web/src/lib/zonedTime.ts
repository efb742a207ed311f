/** Times and days as people type them in a zone that need not be the browser's. */

/** The moment at which a clock in the zone shows this, like "2026-11-18T15:04"; the earlier one if it shows it twice. */
export function instantIn(zone: string, typed: string): string {
  const asUtc = Date.parse(`${typed}Z`);
  const offsets = [asUtc - 86_400_000, asUtc + 86_400_000].map((at) => shownIn(zone, at) - at);
  const moments = offsets.map((offset) => asUtc - offset).filter((at) => shownIn(zone, at) === asUtc);
  const at = moments.length ? Math.min(...moments) : asUtc - (offsets[0] ?? 0);
  return new Date(at).toISOString();
}

/** The day after one, both like "2026-11-18". */
export function nextDay(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);
}

/** What a clock in the zone shows, as if it were UTC. */
function shownIn(zone: string, at: number): number {
  const parts = new Intl.DateTimeFormat("en-CA", {
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
  }).formatToParts(at);
  const part = (type: string) => parts.find((one) => one.type === type)?.value ?? "0";
  const day = `${part("year")}-${part("month")}-${part("day")}`;
  return Date.parse(`${day}T${part("hour")}:${part("minute")}:${part("second")}Z`);
}
