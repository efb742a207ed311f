/** Gives a field the focus as soon as it is shown, and selects what stands in it. */
export function focusOnShow(node: HTMLElement): void {
  node.focus();
  if (node instanceof HTMLInputElement) node.select();
}
