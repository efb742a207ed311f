/** When this session of play began: the first table that was opened in this tab of the browser. */

const KEY = "upcard-session";
let start = "";

export function sessionStart(): string {
  if (!start) start = stored() || new Date().toISOString();
  try {
    sessionStorage.setItem(KEY, start);
  } catch {
    // without storage a session lasts until the page is reloaded
  }
  return start;
}

function stored(): string {
  try {
    return sessionStorage.getItem(KEY) ?? "";
  } catch {
    return "";
  }
}
