/** Gives a field the focus as soon as it is shown, and selects what stands in it; also in a window that opens. */
export function focusOnShow(node: HTMLElement): void {
  node.autofocus = true; // for a window, which gives the focus when it is shown
  node.focus();
  if (node instanceof HTMLInputElement && node.type !== "range") node.select();
}
