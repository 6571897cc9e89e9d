import type { Brandings } from "../../branding/create-brandings.ts";
import type { QueryCaller } from "../../call.ts";
import type { Language } from "../../texts/languages.ts";
import { builtInLanguage, type PageLanguage } from "../../texts/page-language.ts";

/**
 * A language with the texts of an organization, or of the instance. `Brandings` caches them with the rest of the
 * branding. A page can be shown without them, so they are the built-in ones if the database fails.
 */
export async function findLanguage(
  brandings: Brandings,
  tag: Language,
  orgId: string | undefined,
  caller: QueryCaller,
): Promise<PageLanguage> {
  try {
    return (await brandings.find(orgId, caller)).languageOf(tag);
  } catch {
    return builtInLanguage(tag);
  }
}
