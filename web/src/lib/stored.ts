/** What the browser keeps of a table while its tab is open, so that a reload loses nothing. */

const key = (player: string, table: string, what: string) => `upcard/${table}/${player}/${what}`;

export function keep(player: string, table: string, what: string, value: unknown): void {
  try {
    sessionStorage.setItem(key(player, table, what), JSON.stringify(value));
  } catch {
    // without storage a reload starts afresh
  }
}

export function kept<T>(player: string, table: string, what: string): T | null {
  try {
    return JSON.parse(sessionStorage.getItem(key(player, table, what)) ?? "null") as T | null;
  } catch {
    return null;
  }
}
