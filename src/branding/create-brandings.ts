import { sql } from "kysely";
import { LRUCache } from "lru-cache";
import type { QueryCaller } from "../call.ts";
import type { Clock } from "../clock.ts";
import type { Database } from "../database/database.ts";
import { prepareStatement } from "../database/prepare.ts";
import { BUILT_IN_LABEL, type Label } from "./label-settings.ts";
import type { CustomTexts } from "./message-texts.ts";

/** The branding that pages and emails use. */
export interface Branding {
  readonly label: Label;
  /** Those of the organization and the instance. */
  readonly customTexts: CustomTexts;
}

/** The brandings of the instance and of organizations. */
export interface Brandings {
  /**
   * Returns the branding of an organization, or the one that it inherits. Queries each organization at most every few
   * seconds.
   *
   * @param orgId Undefined for the branding of the instance.
   * @throws SignetError for a failure of the database.
   */
  find(orgId: string | undefined, caller?: QueryCaller): Promise<Branding>;
}

/** How long a result is cached, which is the maximum delay until pages and emails show a change. */
const REMEMBERED_MS = 5_000;
/** The maximum number of cached organizations, each of about 2 KB at most. */
const MAX_ORGS = 4_000;

export function createBrandings({ db, clock }: { readonly db: Database; readonly clock: Clock }): Brandings {
  const known = new LRUCache<string, { readonly branding: Branding; readonly until: number }>({ max: MAX_ORGS });

  return {
    async find(orgId, caller) {
      const now = clock().getTime();
      const key = orgId ?? "";
      const remembered = known.get(key);
      if (remembered !== undefined && now < remembered.until) return remembered.branding;
      const rows = await selectActive(db, { orgId: orgId ?? null }, caller);
      const branding = toBranding(rows);
      known.set(key, { branding, until: now + REMEMBERED_MS });
      return branding;
    },
  };
}

/** @param rows The organization's first. */
function toBranding(rows: readonly BrandingRow[]): Branding {
  const label = rows.find((row) => row.label !== null)?.label ?? BUILT_IN_LABEL;
  return { label, customTexts: Object.assign({}, ...rows.map(({ texts }) => texts).reverse()) };
}

interface BrandingRow {
  label: Label | null;
  texts: CustomTexts;
}

const selectActive = prepareStatement<{ orgId: string | null }, BrandingRow>((db, param) =>
  db
    .selectFrom("brandings")
    .select([sql<Label | null>`active`.as("label"), sql<CustomTexts>`texts`.as("texts")])
    .where((where) =>
      where.or([
        where("owner_id", "=", param("orgId", "uuid")),
        where("owner_id", "=", db.selectFrom("instance").select("id")),
      ]),
    )
    .orderBy(sql`owner_id is not distinct from ${param("orgId", "uuid")}`, "desc"),
);
