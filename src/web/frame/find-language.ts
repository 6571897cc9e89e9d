import type { Brandings } from "../../branding/create-brandings.ts";
import type { QueryCaller } from "../../call.ts";
import type { Language } from "../../texts/languages.ts";
import type { PageLanguage } from "../../texts/page-language.ts";
import { findBranding } from "./find-branding.ts";

/** A language with the texts of an organization, or of the instance. */
export async function findLanguage(
  brandings: Brandings,
  tag: Language,
  orgId: string | undefined,
  caller: QueryCaller,
): Promise<PageLanguage> {
  return (await findBranding(brandings, orgId, caller)).languageOf(tag);
}
