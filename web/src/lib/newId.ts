/** A new random id for a command. `crypto.randomUUID` is missing on plain http, where a house may be tried out. */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
