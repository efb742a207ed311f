/** Requests to the lab. Every figure is computed on the server. */
import { read, refused } from "../lib/api";

export async function ask<T>(path: string, signal?: AbortSignal): Promise<T> {
  const response = await fetch(path, { headers: { Accept: "application/json" }, ...(signal ? { signal } : {}) });
  const body = await read(response);
  if (!response.ok) throw refused(response, body);
  return body as T;
}

/** What to show for an error; nothing for a request that was cancelled for a newer one. */
export function errorText(error: unknown): string {
  if (error instanceof DOMException && error.name === "AbortError") return "";
  return error instanceof Error ? error.message : String(error);
}
