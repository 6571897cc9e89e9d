import type { Brandings } from "../../branding/create-brandings.ts";
import type { QueryCaller } from "../../call.ts";
import type { Config } from "../../config.ts";
import { shownName } from "./brand.ts";
import { findBranding } from "./find-branding.ts";

/** What password managers and authenticator apps call the service: the name that the pages of the organization show. */
export async function findServiceName(
  { brandings, config }: { readonly brandings: Brandings; readonly config: Pick<Config, "webauthnRpId"> },
  orgId: string,
  caller: QueryCaller,
): Promise<string> {
  const { label } = await findBranding(brandings, orgId, caller);
  return shownName(label) || config.webauthnRpId;
}
