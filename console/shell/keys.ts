import { go } from "../state/location.ts";
import { toPath } from "../state/routes.ts";

interface KeyTargets {
  readonly orgId: string;
  readonly seesAllOrgs: boolean;
  readonly showHelp: () => void;
}

/** The second key of a pair must follow within this time. */
const PAIR_MS = 1_500;

/**
 * Follows the keys `/`, `?`, and `g` with a letter, outside of text fields and dialogs.
 *
 * @returns Stops following.
 */
export function followKeys({ orgId, seesAllOrgs, showHelp }: KeyTargets): () => void {
  let pairUntil = 0;
  const pages: Readonly<Record<string, () => void>> = {
    u: () => go(toPath({ page: "users", orgId })),
    s: () => go(toPath({ page: "org", orgId })),
    ...(seesAllOrgs && { o: () => go(toPath({ page: "orgs" })) }),
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    const isSecond = performance.now() < pairUntil;
    pairUntil = 0;
    const page = isSecond ? pages[event.key] : undefined;
    if (page !== undefined) page();
    else if (event.key === "/") document.querySelector<HTMLInputElement>("main input[type=search]")?.focus();
    else if (event.key === "?") showHelp();
    else if (event.key === "g") pairUntil = performance.now() + PAIR_MS;
    else return;
    event.preventDefault();
  };
  addEventListener("keydown", onKey);
  return () => removeEventListener("keydown", onKey);
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("input:not([type=checkbox]), select, textarea, dialog") !== null;
}
