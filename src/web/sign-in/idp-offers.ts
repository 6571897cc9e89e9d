import type { Kysely } from "kysely";
import type { Clock } from "../../clock.ts";
import type { Tables } from "../../database/tables.ts";
import { listOfferedIdps, type OfferedIdp } from "../../idps/find-sign-in-idp.ts";
import type { Visit } from "../frame/page.ts";
import type { SignInRequest } from "./sign-in-requests.ts";

/** The providers offered on the pages of a sign-in. */
export interface IdpOffers {
  /** Finds the providers for a sign-in. Queries each organization at most every few seconds. */
  load(visit: Visit, request: SignInRequest): Promise<void>;
  /** The providers that `load` has found; empty before that. */
  of(request: SignInRequest): readonly OfferedIdp[];
}

/** How long a result is cached, which is the maximum delay until the pages show a change. */
const REMEMBERED_MS = 5_000;
/** The maximum number of cached organizations. They take a few MB. */
const MAX_ORGS = 2_000;

export function createIdpOffers({ db, clock }: { readonly db: Kysely<Tables>; readonly clock: Clock }): IdpOffers {
  const byOrg = new Map<string, { readonly idps: readonly OfferedIdp[]; readonly until: number }>();
  const byRequest = new WeakMap<SignInRequest, readonly OfferedIdp[]>();

  async function find({ caller }: Visit, orgId: string): Promise<readonly OfferedIdp[]> {
    const now = clock().getTime();
    const known = byOrg.get(orgId);
    if (known !== undefined && now < known.until) return known.idps;
    const idps = await listOfferedIdps({ db, caller }, orgId);
    byOrg.delete(orgId);
    byOrg.set(orgId, { idps, until: now + REMEMBERED_MS });
    // A Map iterates in insertion order.
    if (byOrg.size > MAX_ORGS) byOrg.delete(byOrg.keys().next().value ?? "");
    return idps;
  }

  return {
    async load(visit, request) {
      byRequest.set(request, await find(visit, request.org.id));
    },
    of: (request) => byRequest.get(request) ?? [],
  };
}
