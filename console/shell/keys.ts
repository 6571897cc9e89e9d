import type { PageLink } from "../routes.tsx";
import { go } from "../state/location.ts";

interface KeyTargets {
  readonly links: readonly PageLink[];
  readonly showHelp: () => void;
  readonly find: () => void;
}

/** The second key of a pair must follow within this time. */
const PAIR_MS = 1_500;
/** Survives a change of the targets, such as the arrival of the permissions between the two keys. */
let pairUntil = 0;

/** Opens the list of organizations; with `g`. */
const ORGS_KEY = "g";

/**
 * Follows Ctrl-K anywhere, the keys `/`, `?`, and `g` with a letter, outside of text fields and dialogs, and the arrows between the
 * search and the rows of a list.
 *
 * @returns Stops following.
 */
export function followKeys({ links, showHelp, find }: KeyTargets): () => void {
  const pages = new Map(links.map(({ key, path }) => [key, path]));
  const onKey = (event: KeyboardEvent) => {
    if (event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey) {
      event.preventDefault();
      if (document.querySelector("dialog[open]") === null) find();
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (moveInList(event)) return event.preventDefault();
    if (isTyping(event.target)) return;
    const isSecond = performance.now() < pairUntil;
    pairUntil = 0;
    const page = isSecond ? pages.get(event.key) : undefined;
    if (page !== undefined) go(page);
    else if (isSecond && event.key === ORGS_KEY) openOrgs();
    else if (event.key === "/") document.querySelector<HTMLInputElement>("main input[type=search]")?.focus();
    else if (event.key === "?") showHelp();
    else if (event.key === "g") pairUntil = performance.now() + PAIR_MS;
    else return;
    event.preventDefault();
  };
  addEventListener("keydown", onKey);
  return () => removeEventListener("keydown", onKey);
}

/** Whether the key has moved the focus to another row. From anywhere else in the page, the first key leads to the list. */
function moveInList({ key, target }: KeyboardEvent): boolean {
  const step = { ArrowDown: 1, ArrowUp: -1 }[key];
  if (step === undefined || !(target instanceof HTMLElement)) return false;
  const isSearch = target.matches("main input[type=search]");
  if (!target.closest("main") || (isTyping(target) && !isSearch)) return false;
  const rows = [...document.querySelectorAll<HTMLElement>("main > .table tbody th a")];
  const row = rows[rows.indexOf(target) + step];
  if (row === undefined || (step < 0 && !rows.includes(target))) return false;
  row.focus();
  return true;
}

function openOrgs(): void {
  // It gives the focus to its field.
  document.querySelector<HTMLElement>("#org-menu")?.showPopover();
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("input:not([type=checkbox]), select, textarea, dialog") !== null;
}
