import { type Expression, type Kysely, sql } from "kysely";
import type { QueryCaller } from "../call.ts";
import { isId } from "../crypto/secrets.ts";
import { prepareStatement } from "../database/prepare.ts";
import type { Tables } from "../database/tables.ts";

/** A provider on the sign-in page. */
export interface OfferedIdp {
  readonly id: string;
  readonly name: string;
  /** The number of a `signet.v1.StylingType` value. */
  readonly stylingType: number;
}

/** A provider with the data for a sign-in. */
export interface SignInIdp extends OfferedIdp {
  readonly ownerId: string;
  /** Whether the instance owns it, rather than an organization. */
  readonly isOfInstance: boolean;
  /** The version of the configuration. */
  readonly sequence: bigint;
  readonly clientId: string;
  /** Encrypted. */
  readonly clientSecret: Buffer;
  readonly clientSecretKey: string;
  readonly issuer: string;
  readonly scopes: readonly string[];
  /** Numbers of `signet.v1.OIDCMappingField` values. */
  readonly displayNameMapping: number;
  readonly usernameMapping: number;
  readonly autoRegister: boolean;
}

interface FindParts {
  readonly db: Kysely<Tables>;
}

/** The maximum number of buttons on a page. */
const MOST_OFFERED = 50;

/** Lists the active providers of an organization and of the instance, by name. */
export async function listOfferedIdps(
  { db }: FindParts,
  orgId: string,
  caller: QueryCaller,
): Promise<readonly OfferedIdp[]> {
  return await selectOffered(db, { orgId }, caller);
}

/** @returns Undefined if neither the organization nor the instance has an active provider with this id. */
export async function findSignInIdp(
  { db }: FindParts,
  { orgId, idpId }: { readonly orgId: string; readonly idpId: string },
  caller?: QueryCaller,
): Promise<SignInIdp | undefined> {
  if (!isId(idpId)) return undefined;
  const [idp] = await selectIdp(db, { orgId, idpId }, caller);
  return idp;
}

/** Whether a provider belongs to the instance, rather than to an organization. */
const isOfInstance = sql<boolean>`idps.owner_id in (select id from instance)`;

function isOfOrgOrInstance(orgId: Expression<string>) {
  return sql<boolean>`idps.owner_id = any (array[${orgId}, (select id from instance)])`;
}

const selectOffered = prepareStatement<{ orgId: string }, OfferedIdp>((db, param) =>
  db
    .selectFrom("idps")
    .select(["id", "name", "styling_type as stylingType"])
    .where(isOfOrgOrInstance(param("orgId", "uuid")))
    .where("state", "=", "active")
    .orderBy(sql`lower(name) collate "C"`)
    .orderBy("id")
    .limit(sql.lit(MOST_OFFERED)),
);

const selectIdp = prepareStatement<{ orgId: string; idpId: string }, SignInIdp>((db, param) =>
  db
    .selectFrom("idps")
    .select(["owner_id as ownerId", "id", "sequence", "name", "styling_type as stylingType", "issuer", "scopes"])
    .select(["client_id as clientId", "client_secret as clientSecret", "client_secret_key as clientSecretKey"])
    .select(["display_name_mapping as displayNameMapping", "username_mapping as usernameMapping"])
    .select(["auto_register as autoRegister", isOfInstance.as("isOfInstance")])
    .where(isOfOrgOrInstance(param("orgId", "uuid")))
    .where("id", "=", param("idpId", "uuid"))
    .where("state", "=", "active"),
);
