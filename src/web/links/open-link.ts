import { type FindCodeParts, type FoundCode, findCode } from "../../codes/find-code.ts";
import type { CodeKind } from "../../codes/kinds.ts";
import { chooseLanguage } from "../../messages/languages.ts";
import type { createAddressLimit } from "../frame/address-limit.ts";
import type { PageResponse, Visit } from "../frame/page.ts";
import { problemPage } from "../frame/problem-page.ts";

/** What a link leads to: a code, whatever its state; or a page that says why not. */
export type OpenedLink =
  | { readonly ok: true; readonly code: FoundCode; readonly visit: Visit }
  | { readonly ok: false; readonly problem: PageResponse };

/**
 * Finds what a link's `code` stands for, and counts against the address where it is nothing. The visit that comes back
 * is in the language of the user, provided that the link is still the user's.
 *
 * Malformed, unknown and wrong codes have one answer, so that it does not tell whether there is such a code or user.
 */
export function createOpenLink({
  db,
  clock,
  limit,
}: FindCodeParts & { readonly limit: ReturnType<typeof createAddressLimit> }) {
  return async (visit: Visit, kind: CodeKind, text: string | null): Promise<OpenedLink> => {
    const { address } = visit.request;
    const blockedFor = await limit.check(address);
    if (blockedFor !== undefined) return tooMany(visit, blockedFor);
    const code = await findCode({ db, clock }, kind, text ?? "");
    if (code !== undefined) {
      // Who holds an outdated link may be someone else, and learns nothing of the user.
      const preferred = code.state === "outdated" ? null : code.user.preferredLanguage;
      const language = chooseLanguage(preferred) ?? visit.language;
      return { ok: true, code, visit: { ...visit, language } };
    }
    const retrySeconds = await limit.count(address);
    return retrySeconds === undefined
      ? { ok: false, problem: problemPage("invalid-link", visit) }
      : tooMany(visit, retrySeconds);
  };
}

function tooMany(visit: Visit, retrySeconds: number): OpenedLink {
  return { ok: false, problem: problemPage("too-many", visit, { retrySeconds }) };
}
