import { sql } from "kysely";
import type { QueryCaller } from "../../call.ts";
import { isActiveOrg } from "../../database/active.ts";
import type { Database } from "../../database/database.ts";
import { prepareStatement } from "../../database/prepare.ts";
import { LINK_ATTRIBUTE } from "./scim-settings.ts";

/** The connection that a request belongs to. */
export interface ScimCaller {
  readonly id: string;
  readonly orgId: string;
  readonly instanceId: string;
  readonly addressRule: number;
  /** The path of the attribute with the id of a user at the provider; see `textAt`. */
  readonly linkPath: string;
  readonly isTrial: boolean;
  /** Null for none, also if it has been removed. */
  readonly idpId: string | null;
  readonly groupAppId: string | null;
}

/** What a connection may do: what its organization lets a user manager do. It cannot change users with a role. */
export const SCIM_ROLES: readonly string[] = ["ORG_USER_MANAGER"];

/**
 * Finds the connection of an active organization by its token, or by the one before the last rotation, and records the use
 * to the hour.
 *
 * @param tokenHash SHA-256.
 * @throws SignetError for a failure of the database.
 */
export async function findScimCaller(
  db: Database,
  { tokenHash, now }: { readonly tokenHash: Buffer; readonly now: Date },
  caller: QueryCaller,
): Promise<ScimCaller | undefined> {
  const [found] = await selectCaller(db, { tokenHash, now }, caller);
  if (found === undefined) return undefined;
  const { isUseStored, linkAttribute, customPath, ...connection } = found;
  if (!isUseStored) await storeUse(db, { id: connection.id, orgId: connection.orgId, now }, caller);
  const linkPath = linkAttribute === LINK_ATTRIBUTE.userName ? "userName" : (customPath ?? "externalId");
  return { ...connection, linkPath };
}

interface CallerRow extends Omit<ScimCaller, "linkPath"> {
  readonly isUseStored: boolean;
  readonly linkAttribute: number;
  readonly customPath: string | null;
}

const selectCaller = prepareStatement<{ tokenHash: Buffer; now: Date }, CallerRow>((db, param) => {
  const hash = param("tokenHash", "bytea");
  const now = param("now", "timestamptz");
  return db
    .selectFrom("scim_connections as found")
    .innerJoin("instance", (join) => join.onTrue())
    .select(["found.id", "found.owner_id as orgId", "instance.id as instanceId"])
    .select(["found.address_rule as addressRule", "found.link_attribute as linkAttribute"])
    .select(["found.link_path as customPath", "found.is_trial as isTrial"])
    .select([
      sql<string | null>`(
          select idps.id from idps where idps.id = found.idp_id and idps.owner_id in (found.owner_id, instance.id))`.as(
        "idpId",
      ),
      sql<string | null>`(
          select apps.id from apps where apps.owner_id = found.owner_id and apps.id = found.group_app_id)`.as(
        "groupAppId",
      ),
      sql<boolean>`coalesce(found.last_used_at >= date_trunc('hour', ${now}), false)`.as("isUseStored"),
    ])
    .where(
      sql<boolean>`(found.token_hash = ${hash} or found.previous_token_hash = ${hash} and found.previous_token_until > ${now})`,
    )
    .where(isActiveOrg(sql.ref("found.owner_id")))
    .$castTo<CallerRow>();
});

const storeUse = prepareStatement<{ id: string; orgId: string; now: Date }, never>((db, param) =>
  db
    .updateTable("scim_connections")
    .set({ last_used_at: sql`date_trunc('hour', ${param("now", "timestamptz")})` })
    .where("owner_id", "=", param("orgId", "uuid"))
    .where("id", "=", param("id", "uuid"))
    .$castTo<never>(),
);
