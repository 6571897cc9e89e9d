import type { Principal, QueryCaller, RememberedCaller } from "../call.ts";
import type { Clock } from "../clock.ts";
import { hashSecretToHex, isAccessToken, isId, isToken } from "../crypto/secrets.ts";
import { hexToText } from "../database/command-list.ts";
import type { RunTogether } from "../database/run-together.ts";
import { invalidArgument, SignetError } from "../errors.ts";
import {
  FIND_ACCESS_TOKEN_PRINCIPAL,
  FIND_TOKEN_PRINCIPAL,
  type PrincipalRow,
  type TokenLookup,
} from "./find-principal.ts";
import { createRecentMap } from "./recent-map.ts";
import { isAllowed, isInstancePermission, type Permission } from "./roles.ts";

/** The credentials of a request. */
export interface Credentials {
  /** The header `authorization`; undefined if it is absent. */
  readonly authorization: string | undefined;
  /** The header `x-service-orgid`. */
  readonly orgId: string | undefined;
  readonly client: RequestClient;
}

/** The client that a request comes from, with the budgets of its address. */
export interface RequestClient {
  /** Returns the error for a caller without a known token whose address has used up its budget. */
  refuseStranger(): SignetError | undefined;
  countFailure(): void;
  trust(): void;
}

/** A call that waits for the authorization of its caller. */
export interface Claimant extends QueryCaller {
  /** Whether the principal may be that of an earlier call (`remembered`), because a statement will confirm it. */
  readonly mayRecall?: boolean;
  /** Called when the token was found, valid or not, so that the log identifies the caller of a rejected call. */
  identify?(identity: CallerIdentity): void;
}

/** A caller for the log: the id of a personal access token, or the user of an application's access token. */
export type CallerIdentity = { readonly tokenId: string } | { readonly userId: string };

export type Authorize = (credentials: Credentials, permission: Permission, caller?: Claimant) => Promise<Principal>;

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
export function createAuthorize(runTogether: RunTogether, clock: Clock): Authorize {
  const validTokens = createRecentMap<true>(MOST_REMEMBERED);
  /** By token and requested organization. */
  const knownCallers = createRecentMap<PrincipalRow>(MOST_REMEMBERED);

  return async ({ authorization, orgId, client }, permission, caller) => {
    const { token, kind } = readBearerToken(authorization, client);
    const hash = hexToText(hashSecretToHex(token));
    const isKnown = validTokens.get(hash) === true;
    if (!isKnown) throwIfRefused(client);
    const onInstance = isInstancePermission(permission);
    const requested = readOrgHeader(onInstance ? undefined : orgId);
    const lookup = { hash, orgId: requested.id, now: clock() };
    const key = requested.given ? `${hash} ${requested.id}` : hash;
    const known = isKnown && caller?.mayRecall === true ? knownCallers.get(key) : undefined;
    if (known !== undefined && isPermitted(known, permission)) {
      caller?.identify?.(toIdentity(known));
      client.trust();
      return { ...toPrincipal(known, lookup), remembered: toRemembered(known, lookup) };
    }

    const found = await runTogether(kind, lookup, caller);
    if (found !== undefined) caller?.identify?.(toIdentity(found));
    if (found?.is_valid !== true) {
      validTokens.delete(hash);
      client.countFailure();
      throw tokenInvalid();
    }
    validTokens.set(hash, true);
    client.trust();
    if (requested.problem !== undefined) {
      throw invalidArgument({ field: "x-service-orgid", description: requested.problem });
    }

    const isUnknown = requested.given && (requested.id === null || !found.org_exists);
    if (found.token_id !== null && !isUnknown) knownCallers.set(key, found);
    if (isUnknown && holds(found.instance_roles, permission)) throw orgNotFound(requested.id);
    if (isUnknown || !isPermitted(found, permission)) {
      const message = `the caller lacks the permission ${permission}`;
      throw new SignetError("PERMISSION_DENIED", message, { metadata: { permission } });
    }
    return toPrincipal(found, lookup);
  };
}

function isPermitted({ instance_roles, org_roles }: PrincipalRow, permission: Permission): boolean {
  return holds(instance_roles, permission) || (!isInstancePermission(permission) && holds(org_roles, permission));
}

function toPrincipal(found: PrincipalRow, { orgId }: TokenLookup): Principal {
  const { user_id: userId, instance_id: instanceId, org_id: ownOrgId, instance_roles, org_roles } = found;
  return {
    userId,
    instanceId,
    orgId: orgId ?? ownOrgId,
    // No role in an organization has a permission on the instance.
    isAllowed: (permission) => holds(instance_roles, permission) || holds(org_roles, permission),
  };
}

function toRemembered(found: PrincipalRow, { hash, orgId, now }: TokenLookup): RememberedCaller {
  const { instance_id: instanceId, org_id: ownOrgId, instance_roles: instanceRoles, org_roles: orgRoles } = found;
  return { tokenHash: hash, now, instanceId, instanceRoles, orgId: orgId ?? ownOrgId, orgRoles };
}

function toIdentity({ token_id: tokenId, user_id: userId }: PrincipalRow): CallerIdentity {
  return tokenId === null ? { userId } : { tokenId };
}

/** Whether one of the roles has the permission. */
function holds(roles: readonly string[], permission: string): boolean {
  return roles.some((role) => isAllowed(role, permission));
}

/** The size of each map. Both together take at most 12 MB. */
const MOST_REMEMBERED = 10_000;

function throwIfRefused(client: RequestClient): void {
  const refusal = client.refuseStranger();
  if (refusal !== undefined) throw refusal;
}

/** @param id The id that the caller sent; null for text that cannot be an id. */
function orgNotFound(id: string | null): SignetError {
  const metadata = { field: "x-service-orgid", ...(id && { orgId: id }) };
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

/** A problem is returned, not thrown, because a caller without a valid token learns nothing about other headers. */
function readOrgHeader(text = ""): { given: boolean; id: string | null; problem?: string } {
  const given = text !== "";
  // Repeated headers arrive joined by commas (RFC 9110, section 5.3).
  if (text.includes(",")) return { given, id: null, problem: "must appear only once" };
  if (!/^[\x20-\x7e]*$/.test(text)) return { given, id: null, problem: "must be ASCII" };
  return { given, id: isId(text) ? text.toLowerCase() : null };
}
