import { LRUCache } from "lru-cache";
import type { Caller } from "../../call.ts";
import type { Clock } from "../../clock.ts";
import type { Database } from "../../database/database.ts";
import { listOfferedIdps, type OfferedIdp, searchOfferedIdps } from "../../idps/find-sign-in-idp.ts";

/** The providers that the pages of a sign-in offer. */
export interface IdpOffers {
  /** Queries each organization at most every few seconds. */
  find(orgId: string, caller: Caller): Promise<readonly OfferedIdp[]>;
  /** Finds providers by a part of the name. Queries each time. */
  search(orgId: string, text: string, caller: Caller): Promise<readonly OfferedIdp[]>;
}

/** How long a result is cached, which is the maximum delay until the pages show a change. */
const REMEMBERED_MS = 5_000;
/** The maximum number of cached organizations. They take a few MB. */
const MAX_ORGS = 2_000;

export function createIdpOffers({ db, clock }: { readonly db: Database; readonly clock: Clock }): IdpOffers {
  const byOrg = new LRUCache<string, { readonly idps: readonly OfferedIdp[]; readonly until: number }>({
    max: MAX_ORGS,
  });

  return {
    async find(orgId, caller) {
      const now = clock().getTime();
      const known = byOrg.get(orgId);
      if (known !== undefined && now < known.until) return known.idps;
      const idps = await listOfferedIdps({ db }, orgId, caller);
      byOrg.set(orgId, { idps, until: now + REMEMBERED_MS });
      return idps;
    },
    search: (orgId, text, caller) => searchOfferedIdps({ db }, { orgId, text }, caller),
  };
}
