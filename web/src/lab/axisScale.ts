/** Where things stand in a drawing. */

/** Round numbers between two values, some five of them. */
export function ticks(low: number, high: number, wanted = 5): number[] {
  if (!(high > low)) return [low];
  const rough = (high - low) / wanted;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((one) => one * power).find((one) => one >= rough) ?? rough;
  const found: number[] = [];
  for (let at = Math.ceil(low / step - 1e-9); at * step <= high + step * 1e-9; at++) found.push(at * step + 0); // never -0
  return found;
}

/** How many digits after the point these values need. */
export function places(values: number[]): number {
  const exact = (digits: number) =>
    values.every((one) => Math.abs(one * 10 ** digits - Math.round(one * 10 ** digits)) < 1e-6);
  return [0, 1, 2, 3, 4, 5].find(exact) ?? 6;
}

/** A line from values to places in the drawing. */
export function scale(low: number, high: number, from: number, to: number): (value: number) => number {
  const size = high - low || 1;
  return (value) => from + ((value - low) / size) * (to - from);
}

/** A range with room above and below. */
export function span(values: number[], room = 0.08): [number, number] {
  const low = Math.min(...values);
  const high = Math.max(...values);
  const extra = (high - low || Math.abs(high) || 1) * room;
  return [low - extra, high + extra];
}
