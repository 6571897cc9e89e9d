import { ConfigError } from "../../config.ts";
import { inOrg } from "../in-org.ts";
import type { MovingApi, Target } from "../moving-api.ts";
import { readFailure } from "../read-failure.ts";

/**
 * Checks that the providers of `--idp` exist in an organization to which users may go.
 *
 * @throws ConfigError with the name of the one that does not.
 */
export async function checkProviders(
  { api, org, listOtherOrgs }: Target,
  idps: readonly (readonly [string, string])[],
): Promise<void> {
  for (const [name, id] of idps) {
    if (await hasProvider(api, org.id, id)) continue;
    const others = await listOtherOrgs();
    if (await isInOne(api, others, id)) continue;
    const where = others.length === 0 ? "the organization has no provider" : "no organization has a provider";
    throw new ConfigError(`--idp ${name}=${id}: ${where} with this id`);
  }
}

async function isInOne(api: MovingApi, orgIds: readonly string[], id: string): Promise<boolean> {
  for (const orgId of orgIds) if (await hasProvider(api, orgId, id)) return true;
  return false;
}

/** An organization has its own providers and those of the instance. */
async function hasProvider({ management }: MovingApi, orgId: string, id: string): Promise<boolean> {
  try {
    await management.getProviderByID({ id }, inOrg(orgId));
    return true;
  } catch (error) {
    const { reason } = readFailure(error);
    if (reason === "IDP_NOT_FOUND" || reason === "ORG_NOT_FOUND" || reason === "INVALID_ARGUMENT") return false;
    throw error;
  }
}
