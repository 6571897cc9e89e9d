import { computed, signal } from "@preact/signals";
import { parseRoute } from "./paths.ts";

/** The address of the page, which says everything that the page shows. */
const address = signal(new URL(location.href));

export const route = computed(() => parseRoute(address.value.pathname));
export const search = computed(() => address.value.searchParams);

/** The forms with changes that are not saved: each returns the question to ask before they are lost. */
const unsaved = new Set<() => string>();

/** Shows another page of the console. */
export function go(to: string, { replace = false } = {}): void {
  const next = new URL(to, location.href);
  if (next.pathname !== address.peek().pathname && !mayLeave()) return;
  if (replace) history.replaceState(undefined, "", next);
  else history.pushState(undefined, "", next);
  address.value = next;
  if (!replace) scrollTo(0, 0);
}

/** Changes parameters of the address; undefined or an empty text removes one. */
export function setSearch(
  changes: Readonly<Record<string, string | undefined>>,
  options?: { replace?: boolean },
): void {
  const next = new URL(address.peek());
  for (const [name, value] of Object.entries(changes)) {
    if (value) next.searchParams.set(name, value);
    else next.searchParams.delete(name);
  }
  go(next.pathname + next.search, options);
}

/** Follows the links of the page, and the buttons of the browser. */
export function followLinks(): void {
  addEventListener("popstate", () => {
    const next = new URL(location.href);
    if (next.pathname !== address.peek().pathname && !mayLeave()) {
      history.pushState(undefined, "", address.peek());
      return;
    }
    address.value = next;
  });
  addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (link === null || event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || link.target !== "") return;
    if (link.origin !== location.origin || !link.pathname.startsWith("/console")) return;
    event.preventDefault();
    go(link.href);
  });
  addEventListener("beforeunload", (event) => {
    if (unsaved.size > 0) event.preventDefault();
  });
}

/**
 * Makes leaving the page ask a question.
 *
 * @returns Stops asking.
 */
export function guardLeaving(question: () => string): () => void {
  unsaved.add(question);
  return () => unsaved.delete(question);
}

/** Lets the page be left without a question. */
export function forgetUnsaved(): void {
  unsaved.clear();
}

function mayLeave(): boolean {
  const [question] = unsaved;
  if (question === undefined) return true;
  if (!confirm(question())) return false;
  forgetUnsaved();
  return true;
}
