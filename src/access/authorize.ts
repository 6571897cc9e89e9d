import type { Principal, QueryCaller } from "../call.ts";
import type { Clock } from "../clock.ts";
import { hashSecretToHex, isAccessToken, isId, isToken } from "../crypto/secrets.ts";
import { hexToText } from "../database/command-list.ts";
import type { RunTogether } from "../database/run-together.ts";
import { invalidArgument, SignetError } from "../errors.ts";
import { FIND_ACCESS_TOKEN_PRINCIPAL, FIND_TOKEN_PRINCIPAL, type PrincipalRow } from "./find-principal.ts";
import { createRecentSet } from "./recent-set.ts";
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
 * Every call looks up its token, in one statement with other waiting calls. Nothing is cached: no result is older than
 * its call, so a revoked token, or a token of a deactivated or locked user, is rejected immediately. Recently valid
 * tokens are remembered only so that their calls are still served when, after too many failures, other tokens from the
 * same address are rejected without a query.
 *
 * The function throws SignetError: TOKEN_MISSING, TOKEN_INVALID, TOO_MANY_REQUESTS, INVALID_ARGUMENT (organization
 * header), PERMISSION_DENIED, ORG_NOT_FOUND, or for a failure of the database.
 */
export function createAuthorize(runTogether: RunTogether, clock: Clock): Authorize {
  const validTokens = createRecentSet(MOST_VALID_TOKENS);

  return async ({ authorization, orgId, client }, permission, caller) => {
    const { token, kind } = readBearerToken(authorization, client);
    const hash = hexToText(hashSecretToHex(token));
    if (!validTokens.has(hash)) throwIfRefused(client);
    const onInstance = isInstancePermission(permission);
    const requested = readOrgHeader(onInstance ? undefined : orgId);
    const principal = await runTogether(kind, { hash, orgId: requested.id, now: clock() }, caller);
    if (principal !== undefined) caller?.identify?.(toIdentity(principal));
    if (principal?.is_valid !== true) {
      validTokens.delete(hash);
      client.countFailure();
      throw tokenInvalid();
    }
    validTokens.add(hash);
    client.trust();
    if (requested.problem !== undefined) {
      throw invalidArgument({ field: "x-service-orgid", description: requested.problem });
    }

    const { user_id: userId, instance_id: instanceId, instance_roles, org_roles } = principal;
    const isUnknown = requested.given && (requested.id === null || !principal.org_exists);
    if (holds(instance_roles, permission)) {
      if (isUnknown) throw orgNotFound(requested.id);
    } else if (onInstance || isUnknown || !holds(org_roles, permission)) {
      const message = `the caller lacks the permission ${permission}`;
      throw new SignetError("PERMISSION_DENIED", message, { metadata: { permission } });
    }
    return {
      userId,
      instanceId,
      orgId: requested.id ?? principal.org_id,
      // No role in an organization has a permission on the instance.
      isAllowed: (other) => holds(instance_roles, other) || holds(org_roles, other),
    };
  };
}

function toIdentity({ token_id: tokenId, user_id: userId }: PrincipalRow): CallerIdentity {
  return tokenId === null ? { userId } : { tokenId };
}

/** Whether one of the roles has the permission. */
function holds(roles: readonly string[], permission: string): boolean {
  return roles.some((role) => isAllowed(role, permission));
}

/** About 2 MB. */
const MOST_VALID_TOKENS = 10_000;

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
