/** The element that had the focus at last, and those around it, up to the content of the page. */
let places: readonly HTMLElement[] = [];

/**
 * Keeps the focus near where it was if the element that has it is removed, such as the button of a row that is gone.
 * Otherwise, the browser would begin at the top of the page.
 */
export function keepFocus(): void {
  addEventListener("focusin", ({ target }) => {
    places = target instanceof HTMLElement && target.closest("main") ? placesOf(target) : [];
  });
  // Somebody who presses on the page leaves the focus on purpose.
  addEventListener("pointerdown", () => {
    places = [];
  });
  new MutationObserver(restore).observe(document.body, { childList: true, subtree: true });
}

function placesOf(element: HTMLElement): HTMLElement[] {
  const { parentElement } = element;
  return element.matches("main") || parentElement === null ? [element] : [element, ...placesOf(parentElement)];
}

function restore(): void {
  if (document.activeElement !== document.body || places[0]?.isConnected !== false) return;
  // A list without rows is not seen.
  const nearest = places.find(({ isConnected, offsetHeight }) => isConnected && offsetHeight > 0);
  if (nearest === undefined) return;
  nearest.tabIndex = -1;
  nearest.focus({ preventScroll: true });
}
