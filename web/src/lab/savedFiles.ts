/** The visitor's own files, kept in this browser only. */
import type { Files } from "../catalog/workspaceFiles";

const PLACE = "upcard-lab-files";

export function savedFiles(): Files {
  try {
    const saved: unknown = JSON.parse(localStorage.getItem(PLACE) ?? "{}");
    if (typeof saved !== "object" || saved === null) return {};
    return Object.fromEntries(Object.entries(saved).filter(([, text]) => typeof text === "string"));
  } catch {
    return {};
  }
}

/** Whether the browser could keep them. */
export function save(files: Files): boolean {
  try {
    localStorage.setItem(PLACE, JSON.stringify(files));
    return true;
  } catch {
    return false;
  }
}
