import { ConfigError } from "../../config.ts";
import { inOrg } from "../in-org.ts";
import { readFailure } from "../read-failure.ts";
import type { Target } from "../target.ts";

/**
 * Checks that the providers of `--idp` exist.
 *
 * @throws ConfigError with the name of the one that does not.
 */
export async function checkProviders(
  { api, org }: Target,
  idps: readonly (readonly [string, string])[],
): Promise<void> {
  for (const [name, id] of idps) {
    try {
      await api.management.getProviderByID({ id }, inOrg(org.id));
    } catch (error) {
      const { reason } = readFailure(error);
      if (reason !== "IDP_NOT_FOUND" && reason !== "INVALID_ARGUMENT") throw error;
      throw new ConfigError(`--idp ${name}=${id}: the organization has no provider with this id`);
    }
  }
}
