/** The roles of a house, as the People page offers them. What each may do is in docs/roles.md. */
export const ROLES = [
  { name: "player", title: "Player", does: "plays" },
  { name: "dealer", title: "Dealer", does: "deals, sells chips at the table" },
  { name: "floor", title: "Floor", does: "opens and closes tables, looks after people and days" },
  { name: "cashier", title: "Cashier", does: "buys and sells chips at the cage, fills and credits" },
  { name: "jackpots", title: "Jackpots", does: "verifies and pays jackpots" },
  { name: "auditor", title: "Auditor", does: "sees everything and changes nothing" },
  { name: "display", title: "Display", does: "a screen that shows jackpots" },
] as const;
