import { type Expression, sql } from "kysely";
import type { QueryCaller } from "../call.ts";
import { isId } from "../crypto/secrets.ts";
import type { Database } from "../database/database.ts";
import { prepareStatement } from "../database/prepare.ts";
import type { IdpKind, IdpSettings } from "./kinds.ts";

/** A provider on the sign-in page and the account page. */
export interface OfferedIdp {
  readonly id: string;
  readonly name: string;
  /** The number of a `signet.v1.StylingType` value. */
  readonly stylingType: number;
  readonly kind: IdpKind;
  /** Empty for kinds without one. */
  readonly issuer: string;
  readonly isLinkingAllowed: boolean;
}

/** A provider with the data for a sign-in. */
export interface SignInIdp extends OfferedIdp {
  readonly ownerId: string;
  /** Whether the instance owns it, rather than an organization. */
  readonly isOfInstance: boolean;
  /** The version of the configuration. */
  readonly sequence: bigint;
  readonly clientId: string;
  /** The client secret or the private key, encrypted. */
  readonly clientSecret: Buffer;
  readonly clientSecretKey: string;
  readonly scopes: readonly string[];
  /** Numbers of `signet.v1.OIDCMappingField` values. */
  readonly displayNameMapping: number;
  readonly usernameMapping: number;
  readonly autoRegister: boolean;
  readonly isCreationAllowed: boolean;
  readonly isAutoUpdate: boolean;
  /** One of `AUTO_LINKING`. */
  readonly autoLinking: number;
  readonly settings: IdpSettings;
  /** Whether a sign-out continues at the provider. */
  readonly federatedLogoutEnabled: boolean;
}

interface FindParts {
  readonly db: Database;
}

/** The maximum number of buttons on a page. */
const MOST_OFFERED = 50;
/** They take a few milliseconds. */
const MOST_SEARCHED = 1_000;

/**
 * Lists the active providers of an organization, and then those of the instance, by name: many of the instance must not
 * hide the organization's own.
 */
export async function listOfferedIdps(
  { db }: FindParts,
  orgId: string,
  caller: QueryCaller,
): Promise<readonly OfferedIdp[]> {
  return await selectOffered(db, { orgId, most: MOST_OFFERED }, caller);
}

/**
 * Finds those of these providers whose name contains a text. Compares here, because the collation of a database may know
 * the case of ASCII letters only.
 */
export async function searchOfferedIdps(
  { db }: FindParts,
  { orgId, text }: { readonly orgId: string; readonly text: string },
  caller: QueryCaller,
): Promise<readonly OfferedIdp[]> {
  const toKey = (name: string) => name.normalize("NFKC").toLowerCase();
  const idps = await selectOffered(db, { orgId, most: MOST_SEARCHED }, caller);
  return idps.filter(({ name }) => toKey(name).includes(toKey(text))).slice(0, MOST_OFFERED);
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

/** A SAML provider whose URLs are requested without a sign-in. */
interface SamlIdp extends Pick<SignInIdp, "id" | "issuer" | "settings" | "clientSecret" | "clientSecretKey"> {
  /** Whose users sign in if it begins at the provider: the owner, or for one of the instance the default organization. */
  readonly orgId: string;
}

/** @returns Undefined if there is no active SAML provider with this id. */
export async function findSamlIdp({ db }: FindParts, idpId: string, caller: QueryCaller): Promise<SamlIdp | undefined> {
  if (!isId(idpId)) return undefined;
  const [idp] = await selectSamlIdp(db, { idpId }, caller);
  return idp;
}

/** Whether a provider belongs to the instance, rather than to an organization. */
const isOfInstance = sql<boolean>`idps.owner_id in (select id from instance)`;

function isOfOrgOrInstance(orgId: Expression<string>) {
  return sql<boolean>`idps.owner_id = any (array[${orgId}, (select id from instance)])`;
}

const selectOffered = prepareStatement<{ orgId: string; most: number }, OfferedIdp>((db, param) =>
  db
    .selectFrom("idps")
    .select(["id", "name", "styling_type as stylingType", "issuer", "kind", "is_linking_allowed as isLinkingAllowed"])
    .where(isOfOrgOrInstance(param("orgId", "uuid")))
    .where("state", "=", "active")
    .orderBy(sql`owner_id = ${param("orgId", "uuid")} desc`)
    .orderBy(sql`lower(name) collate "C"`)
    .orderBy("id")
    .limit(param("most", "smallint"))
    .$castTo<OfferedIdp>(),
);

const selectIdp = prepareStatement<{ orgId: string; idpId: string }, SignInIdp>((db, param) =>
  db
    .selectFrom("idps")
    .select(["owner_id as ownerId", "id", "sequence", "name", "styling_type as stylingType", "issuer", "scopes"])
    .select(["client_id as clientId", "client_secret as clientSecret", "client_secret_key as clientSecretKey"])
    .select(["display_name_mapping as displayNameMapping", "username_mapping as usernameMapping"])
    .select(["auto_register as autoRegister", "federated_logout_enabled as federatedLogoutEnabled"])
    .select(["is_linking_allowed as isLinkingAllowed", "is_creation_allowed as isCreationAllowed"])
    .select(["is_auto_update as isAutoUpdate", "auto_linking as autoLinking", "kind", "config as settings"])
    .select(isOfInstance.as("isOfInstance"))
    .where(isOfOrgOrInstance(param("orgId", "uuid")))
    .where("id", "=", param("idpId", "uuid"))
    .where("state", "=", "active")
    .$castTo<SignInIdp>(),
);

const selectSamlIdp = prepareStatement<{ idpId: string }, SamlIdp>((db, param) =>
  db
    .selectFrom("idps")
    .select(["id", "issuer", "config as settings"])
    .select(
      sql<string>`coalesce((select default_org_id from instance where id = idps.owner_id), idps.owner_id)`.as("orgId"),
    )
    .select(["client_secret as clientSecret", "client_secret_key as clientSecretKey"])
    .where("id", "=", param("idpId", "uuid"))
    .where("kind", "=", "saml")
    .where("state", "=", "active")
    .$castTo<SamlIdp>(),
);
