import { type Brandings, BUILT_IN_BRANDING, type PageBranding } from "../../branding/create-brandings.ts";
import type { QueryCaller } from "../../call.ts";
import type { Config } from "../../config.ts";
import type { Language } from "../../texts/languages.ts";
import type { PageLanguage } from "../../texts/page-language.ts";
import { shownName } from "./brand.ts";

/**
 * The branding of an organization, or of the instance. `Brandings` caches it. A page can be shown without one, so it is
 * the built-in one if the database fails.
 */
export async function findBranding(
  brandings: Brandings,
  orgId: string | undefined,
  caller: QueryCaller,
): Promise<PageBranding> {
  try {
    return await brandings.find(orgId, caller);
  } catch {
    return BUILT_IN_BRANDING;
  }
}

/** A language with the texts of an organization, or of the instance. */
export async function findLanguage(
  brandings: Brandings,
  tag: Language,
  orgId: string | undefined,
  caller: QueryCaller,
): Promise<PageLanguage> {
  return (await findBranding(brandings, orgId, caller)).languageOf(tag);
}

/** What password managers and authenticator apps call the service: the name that the pages of the organization show. */
export async function findServiceName(
  { brandings, config }: { readonly brandings: Brandings; readonly config: Pick<Config, "webauthnRpId"> },
  orgId: string,
  caller: QueryCaller,
): Promise<string> {
  const { label } = await findBranding(brandings, orgId, caller);
  return shownName(label) || config.webauthnRpId;
}
