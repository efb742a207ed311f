/** The files of a workspace in the browser: where an uploaded file belongs, and where its problems are. */
import type { components } from "../lib/schema";

export type Place = components["schemas"]["Place"];
export type Files = Readonly<Record<string, string>>;

export const FOLDERS = ["layouts", "games", "paytables", "kinds", "jurisdictions", "charts"] as const;

const MARKS: [RegExp, string][] = [
  [/^\s*\[\[kind\]\]/m, "kinds"],
  [/^\s*\[\[paytable\]\]/m, "paytables"],
  [/^\s*\[limits[\].]|^\s*\[\[limits\]\]/m, "jurisdictions"],
  [/^\s*game\s*=/m, "layouts"],
  [/^\s*\[rules[\].]/m, "games"],
];

/** The path of an uploaded file: as in its folder, or by what it contains. */
export function pathOf(name: string, relative: string, text: string): string {
  const parts = relative.split("/");
  const folder = parts.at(-2) ?? "";
  if (name === "readings.toml") return name;
  if ((FOLDERS as readonly string[]).includes(folder)) return `${folder}/${name}`;
  if (name.endsWith(".csv")) return `charts/${name}`;
  const mark = MARKS.find(([pattern]) => pattern.test(text));
  return `${mark?.[1] ?? "layouts"}/${name}`;
}

/** Files that people chose; others in a chosen folder, such as a README, are left out. */
export async function read(chosen: Iterable<File>): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  for (const file of chosen) {
    if (!/\.(toml|csv)$/.test(file.name) || file.name === "upcard.toml") continue;
    const text = await file.text();
    files[pathOf(file.name, file.webkitRelativePath, text)] = text;
  }
  return files;
}

export interface Spot {
  line: number;
  column: number;
}

/** The line and column that a problem names, if it does. */
export function spotOf(problem: Place): Spot | null {
  const found = /line (\d+)(?:, column (\d+))?/.exec(`${problem.place} ${problem.sentence}`);
  return found ? { line: Number(found[1]), column: Number(found[2] ?? 1) } : null;
}

/** Where a line and column begin in a text. */
export function offsetOf(text: string, spot: Spot): number {
  const lines = text.split("\n");
  const before = lines.slice(0, spot.line - 1).reduce((sum, line) => sum + line.length + 1, 0);
  return Math.min(before + Math.max(0, spot.column - 1), text.length);
}

/** What people read of a problem: its place, unless the file and line say it, and the sentence. */
export function problemText(problem: Place): string {
  return problem.place ? `${problem.place}: ${problem.sentence}` : problem.sentence;
}

/** Lets people keep a file. */
export function download(path: string, text: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  link.download = path.split("/").at(-1) ?? path;
  link.click();
  URL.revokeObjectURL(link.href);
}
