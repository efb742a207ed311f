/** Requests to the lab. Every figure is computed on the server. */
import { read, refused } from "../lib/api";

export async function ask<T>(path: string, signal?: AbortSignal): Promise<T> {
  const answer = await fetch(path, { headers: { Accept: "application/json" }, ...(signal ? { signal } : {}) });
  const told = await read(answer);
  if (!answer.ok) throw refused(answer, told);
  return told as T;
}

/** A sentence for whatever went wrong; nothing for a question that was given up for a newer one. */
export function errorText(wrong: unknown): string {
  if (wrong instanceof DOMException && wrong.name === "AbortError") return "";
  return wrong instanceof Error ? wrong.message : String(wrong);
}
