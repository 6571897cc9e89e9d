import type { Call } from "../../call.ts";
import type { Clock } from "../../clock.ts";
import { countInHour } from "../../database/counters.ts";
import { SignetError } from "../../errors.ts";
import { type GetIdpParts, getIdp, idpNotFound } from "../../idps/list-idps.ts";
import { LIMITS } from "../../limits.ts";
import type { Owner } from "../../owner.ts";
import type { CheckIdpParts, IdpCheck } from "./check-idp.ts";
import { responseUrl } from "./idp-urls.ts";

export interface CheckStoredIdpParts extends GetIdpParts, CheckIdpParts {
  readonly clock: Clock;
  readonly publicUrl: string;
}

/**
 * Checks a provider of its owner (docs/reference/providers.md). An organization cannot check those of the instance,
 * which may be in a private network.
 *
 * @throws SignetError IDP_NOT_FOUND, TOO_MANY_PROVIDER_CHECKS, or for a failure of the database.
 */
export async function checkStoredIdp(
  parts: CheckStoredIdpParts,
  { id }: { readonly id: string },
  owner: Owner,
  call: Call,
): Promise<IdpCheck & { readonly callbackUrl: string }> {
  const row = await getIdp(parts, { id }, owner, call);
  if (row.owner_id !== owner.id) throw idpNotFound(owner, "id", id);
  const limit = { key: `idp-checks:${owner.id}`, limit: LIMITS.providerChecks };
  const retryAfterMs = call.kind === "operator" ? undefined : await countInHour(parts, limit, call);
  if (retryAfterMs !== undefined) {
    const message = `the providers of an owner can be checked ${LIMITS.providerChecks.most} times per hour`;
    throw new SignetError("TOO_MANY_PROVIDER_CHECKS", message, { retryAfterMs });
  }
  // Loaded on first use, so that startup does not wait for these modules.
  const { checkIdp } = await import("./check-idp.ts");
  const checked = await checkIdp(parts, row, { isOfInstance: owner.kind === "instance", signal: call.signal });
  call.throwIfOver();
  return { ...checked, callbackUrl: responseUrl(parts, row) };
}
