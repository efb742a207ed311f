/** Keeps the focus in a bar of buttons: when the button that has it goes or is disabled, another of the bar gets it. */
export function keepFocus(bar: HTMLElement, preferred: string) {
  let last: HTMLElement | null = null; // the button of the bar that has the focus, or had it until it went

  function moved(event: FocusEvent) {
    last = event.target instanceof HTMLElement && bar.contains(event.target) ? event.target : null;
  }
  function pressed(event: PointerEvent) {
    if (!(event.target instanceof Node && bar.contains(event.target))) last = null;
  }
  function restore() {
    const holder = document.activeElement;
    const isLost = holder === null || holder === document.body || holder.matches(":disabled");
    if (!last || !isLost) return;
    const buttons = [...bar.querySelectorAll<HTMLElement>("button:not(:disabled):not([hidden])")];
    const same = buttons.find((button) => button === last);
    (same ?? buttons.find((button) => button.matches(preferred)))?.focus();
  }

  const observer = new MutationObserver(restore);
  observer.observe(bar, { childList: true, subtree: true, attributeFilter: ["disabled", "hidden"] });
  document.addEventListener("focusin", moved);
  document.addEventListener("pointerdown", pressed);
  return {
    destroy() {
      observer.disconnect();
      document.removeEventListener("focusin", moved);
      document.removeEventListener("pointerdown", pressed);
    },
  };
}
