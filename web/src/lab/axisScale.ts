/** Scales and tick marks of a chart. */

/** Round numbers between two values, about five of them. */
export function ticks(low: number, high: number, count = 5): number[] {
  if (!(high > low)) return [low];
  const rough = (high - low) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((size) => size >= rough) ?? rough;
  const marks: number[] = [];
  for (let at = Math.ceil(low / step - 1e-9); at * step <= high + step * 1e-9; at++) marks.push(at * step + 0); // never -0
  return marks;
}

/** How many decimal places these values need. */
export function places(values: number[]): number {
  const exact = (digits: number) =>
    values.every((value) => Math.abs(value * 10 ** digits - Math.round(value * 10 ** digits)) < 1e-6);
  return [0, 1, 2, 3, 4, 5].find(exact) ?? 6;
}

/** Maps values to positions in the chart. */
export function scale(low: number, high: number, from: number, to: number): (value: number) => number {
  const size = high - low || 1;
  return (value) => from + ((value - low) / size) * (to - from);
}

/** The range of the values, with some room above and below. */
export function span(values: number[], room = 0.08): [number, number] {
  const low = Math.min(...values);
  const high = Math.max(...values);
  const extra = (high - low || Math.abs(high) || 1) * room;
  return [low - extra, high + extra];
}
