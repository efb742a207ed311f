/** What the cage books, and whether it is for a player. */
export const ORDERS = [
  { name: "buy-in", title: "Buy-in", ofPlayer: true, atCage: true },
  { name: "cash-out", title: "Cash-out", ofPlayer: true, atCage: true },
  { name: "fill", title: "Fill", ofPlayer: false, atCage: false },
  { name: "credit", title: "Credit", ofPlayer: false, atCage: false },
  { name: "tip", title: "Tip for the dealers", ofPlayer: true, atCage: false },
  { name: "pay-tips", title: "Pay tips", ofPlayer: false, atCage: false },
] as const;
