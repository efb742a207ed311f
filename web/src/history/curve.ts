/** The path of a running total in a box, and the height of zero. */
export function curvePath(totals: readonly number[], width: number, height: number): { path: string; zero: number } {
  const least = Math.min(0, ...totals);
  const most = Math.max(0, ...totals);
  const y = (total: number) => (most === least ? height / 2 : ((most - total) / (most - least)) * height);
  const x = (at: number) => (totals.length > 1 ? (at / (totals.length - 1)) * width : 0);
  const points = totals.map((total, at) => `${x(at).toFixed(1)},${y(total).toFixed(1)}`);
  return { path: points.length ? `M${points.join("L")}` : "", zero: y(0) };
}
