import { LRUCache } from "lru-cache";
import { holds, type Principal } from "../actor.ts";
import type { Authority, QueryCaller } from "../call.ts";
import type { Clock } from "../clock.ts";
import { hashSecretToHex, isAccessToken, isId, isToken } from "../crypto/secrets.ts";
import { hexToText } from "../database/command-list.ts";
import type { RunTogether } from "../database/run-together.ts";
import { invalidArgument, SignetError } from "../errors.ts";
import { AUTHENTICATED, isInstancePermission, type Requirement } from "../roles.ts";
import {
  FIND_ACCESS_TOKEN_PRINCIPAL,
  FIND_TOKEN_PRINCIPAL,
  type PrincipalRow,
  type TokenLookup,
} from "./find-principal.ts";
import type { RecentCredentials } from "./recent-credentials.ts";
import type { TokenUses } from "./token-uses.ts";

/** The credentials of a request. */
export interface Credentials {
  /** The header `authorization`; undefined if it is absent. */
  readonly authorization: string | undefined;
  /** The header `x-service-orgid`. */
  readonly orgId: string | undefined;
  /** The header `x-zitadel-orgid`, by which clients of the published API select an organization. */
  readonly publishedOrgId?: string | undefined;
  readonly client: RequestClient;
}

/** The client that a request comes from, with the budgets of its address. */
export interface RequestClient {
  /** Returns the error for a caller without a known token whose address has used up its budget. */
  refuseStranger(): SignetError | undefined;
  /** @param wasValid Whether the token was valid recently. */
  countFailure(wasValid?: boolean): void;
  trust(): void;
}

/** A call that waits for the authorization of its caller. */
export interface Claimant extends QueryCaller {
  /** Whether the result may be that of an earlier call, because a statement will confirm it. */
  readonly mayRecall?: boolean;
  /** Called when the token was found, valid or not, so that the log identifies the caller of a rejected call. */
  identify?(identity: CallerIdentity): void;
}

/** A caller for the log: the id of a personal access token, or the user of an application's access token. */
export type CallerIdentity = { readonly tokenId: string } | { readonly userId: string };

/** A caller with the permission. */
export interface AuthorizedCaller extends Principal {
  readonly authority: Authority;
}

export type Authorize = (
  credentials: Credentials,
  permission: Requirement,
  caller?: Claimant,
) => Promise<AuthorizedCaller>;

/**
 * Creates a function that resolves a token (a personal one, or an application's token for the RPCs) to its user, and
 * checks that the user has the permission in the organization.
 *
 * A call looks up its token in one statement with other waiting calls. If the call's own statement confirms the caller
 * (`mayRecall`), a call with a personal token starts with the result of an earlier call instead. Either way, no response
 * relies on anything older than its call, so a revoked token, or a token of a deactivated or locked user, is rejected
 * immediately.
 *
 * Valid tokens are also remembered so that their calls are still served when, after too many failures, other tokens
 * from the same address are rejected without a query.
 *
 * The function throws SignetError: TOKEN_MISSING, TOKEN_INVALID, TOO_MANY_REQUESTS, INVALID_ARGUMENT (organization
 * header), PERMISSION_DENIED, ORG_NOT_FOUND, or for a failure of the database.
 */
export function createAuthorize(
  runTogether: RunTogether,
  clock: Clock,
  recentCredentials: RecentCredentials,
  tokenUses: TokenUses,
): Authorize {
  /** By token and requested organization. */
  const knownCallers = new LRUCache<string, PrincipalRow>({ max: MOST_REMEMBERED });

  return async ({ authorization, orgId, publishedOrgId, client }, permission, caller) => {
    const { token, kind } = readBearerToken(authorization, client);
    const credential = hashSecretToHex(token);
    const hash = hexToText(credential);
    const isKnown = recentCredentials.has(credential);
    if (!isKnown) throwIfRefused(client);
    const onInstance = isInstancePermission(permission);
    const requested = onInstance ? NO_ORG : readOrgHeaders(orgId, publishedOrgId);
    const lookup = { hash, orgId: requested.id, now: clock() };
    const key = requested.given ? `${hash} ${requested.id}` : hash;
    const known = isKnown && caller?.mayRecall === true ? knownCallers.get(key) : undefined;
    if (known !== undefined && isPermitted(known, permission)) {
      caller?.identify?.(toIdentity(known));
      client.trust();
      if (known.token_id !== null) tokenUses.add(known.token_id, lookup.now);
      return { ...toPrincipal(known, lookup), authority: toConfirm(known, lookup) };
    }

    const found = await runTogether(kind, lookup, caller);
    if (found !== undefined) caller?.identify?.(toIdentity(found));
    if (found?.is_valid !== true) {
      recentCredentials.delete(credential);
      client.countFailure(isKnown);
      throw tokenInvalid();
    }
    recentCredentials.add(credential);
    client.trust();
    if (found.token_id !== null) tokenUses.add(found.token_id, lookup.now);
    if (requested.problem !== undefined) {
      throw invalidArgument({ field: requested.header, description: requested.problem });
    }

    const isUnknown = requested.given && (requested.id === null || !found.org_exists);
    if (found.token_id !== null && !isUnknown) knownCallers.set(key, found);
    if (isUnknown && mayKnowOrgs(found, permission)) throw orgNotFound(requested);
    if (permission === AUTHENTICATED) throwIfOutside(found, requested, isUnknown);
    else if (isUnknown || !isPermitted(found, permission)) {
      const message = `the caller lacks the permission ${permission}`;
      throw new SignetError("PERMISSION_DENIED", message, { metadata: { permission } });
    }
    return { ...toPrincipal(found, lookup), authority: KNOWN };
  };
}

function isPermitted({ instance_roles, org_roles }: PrincipalRow, permission: Requirement): boolean {
  if (permission === AUTHENTICATED) return false;
  return holds(instance_roles, permission) || (!isInstancePermission(permission) && holds(org_roles, permission));
}

/** Whether the caller may learn that an organization does not exist. */
function mayKnowOrgs({ instance_roles }: PrincipalRow, permission: Requirement): boolean {
  return permission === AUTHENTICATED ? instance_roles.length > 0 : holds(instance_roles, permission);
}

/**
 * Rejects an organization that the caller does not belong to and has no role in, whether it exists or not.
 *
 * @throws SignetError PERMISSION_DENIED.
 */
function throwIfOutside(found: PrincipalRow, { given, id }: RequestedOrg, isUnknown: boolean): void {
  const { instance_roles, org_roles, org_id } = found;
  if (!given || (!isUnknown && (id === org_id || instance_roles.length + org_roles.length > 0))) return;
  throw new SignetError("PERMISSION_DENIED", "the caller has no role in the organization");
}

function toPrincipal(found: PrincipalRow, { orgId }: TokenLookup): Principal {
  const { user_id: userId, instance_id: instanceId, org_id: userOrgId } = found;
  const { instance_roles: instanceRoles, org_roles: orgRoles, role_scopes: roleScopes } = found;
  return {
    kind: "principal",
    userId,
    instanceId,
    userOrgId,
    orgId: orgId ?? userOrgId,
    instanceRoles,
    orgRoles,
    roleScopes,
  };
}

const KNOWN: Authority = { kind: "known" };

function toConfirm(found: PrincipalRow, { hash, orgId, now }: TokenLookup): Authority {
  const { instance_id: instanceId, org_id: ownOrgId, instance_roles: instanceRoles, org_roles: orgRoles } = found;
  return {
    kind: "toConfirm",
    caller: { tokenHash: hash, now, instanceId, instanceRoles, orgId: orgId ?? ownOrgId, orgRoles },
  };
}

function toIdentity({ token_id: tokenId, user_id: userId }: PrincipalRow): CallerIdentity {
  return tokenId === null ? { userId } : { tokenId };
}

/** At most 10 MB. */
const MOST_REMEMBERED = 10_000;

function throwIfRefused(client: RequestClient): void {
  const refusal = client.refuseStranger();
  if (refusal !== undefined) throw refusal;
}

function orgNotFound({ header, id }: RequestedOrg): SignetError {
  const metadata = { field: header, ...(id && { orgId: id }) };
  return new SignetError("ORG_NOT_FOUND", "the organization does not exist", { metadata });
}

function tokenInvalid(): SignetError {
  return new SignetError(
    "TOKEN_INVALID",
    "the token is unknown, expired or revoked, or its user is deactivated or locked",
  );
}

/** RFC 6750, section 2.1: `Bearer` in any case, one or more spaces, and the token. */
function readBearerToken(authorization: string | undefined, client: RequestClient) {
  const [, token] = /^bearer +([^ ]+)$/i.exec(authorization ?? "") ?? [];
  // The form of a token reveals its kind, so a call looks up only one kind.
  if (token !== undefined && isToken(token)) return { token, kind: FIND_TOKEN_PRINCIPAL };
  if (token !== undefined && isAccessToken(token)) return { token, kind: FIND_ACCESS_TOKEN_PRINCIPAL };
  throwIfRefused(client);
  client.countFailure();
  if (token !== undefined) throw tokenInvalid();
  const problem = authorization ? "the authorization header is not of the form `Bearer <token>`" : MISSING;
  throw new SignetError("TOKEN_MISSING", problem);
}

const MISSING = "the request has no authorization header";

/** The organization in the headers of a request. */
interface RequestedOrg {
  readonly given: boolean;
  /** Null for text that cannot be an id. */
  readonly id: string | null;
  /** The header that selects the organization, or that has the problem. */
  readonly header: "x-service-orgid" | "x-zitadel-orgid";
  readonly problem?: string;
}

const NO_ORG: RequestedOrg = { given: false, id: null, header: "x-service-orgid" };

/**
 * Both headers mean the same, and an empty one counts as absent. A problem is returned, not thrown, because a caller
 * without a valid token learns nothing about other headers.
 */
function readOrgHeaders(own = "", published = ""): RequestedOrg {
  if (own === "" && published === "") return NO_ORG;
  const header = own === "" ? "x-zitadel-orgid" : "x-service-orgid";
  const text = own || published;
  // Repeated headers arrive joined by commas (RFC 9110, section 5.3).
  if (text.includes(",")) return { given: true, id: null, header, problem: "must appear only once" };
  if (!/^[\x20-\x7e]*$/.test(text)) return { given: true, id: null, header, problem: "must be ASCII" };
  if (published !== "" && published.toLowerCase() !== text.toLowerCase()) {
    const problem = "must have the same value as x-service-orgid, or be absent";
    return { given: true, id: null, header: "x-zitadel-orgid", problem };
  }
  return { given: true, id: isId(text) ? text.toLowerCase() : null, header };
}
