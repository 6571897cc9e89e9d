import { LRUCache } from "lru-cache";
import type { Principal } from "../actor.ts";
import type { Authority, QueryCaller } from "../call.ts";
import type { Clock } from "../clock.ts";
import { hashSecretToHex, isAccessToken, isToken } from "../crypto/secrets.ts";
import { hexToText } from "../database/command-list.ts";
import type { RunTogether } from "../database/run-together.ts";
import { SignetError } from "../errors.ts";
import type { Requirement } from "../roles.ts";
import {
  FIND_ACCESS_TOKEN_PRINCIPAL,
  FIND_TOKEN_PRINCIPAL,
  type PrincipalRow,
  type TokenLookup,
} from "./find-principal.ts";
import type { RecentCredentials } from "./recent-credentials.ts";
import { readRequestedOrg } from "./requested-org.ts";
import { isPermitted, isUnknownOrg, throwIfDenied } from "./throw-if-denied.ts";
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
interface RequestClient {
  /** Returns the error for a caller without a known token whose address has used up its budget. */
  refuseStranger(): SignetError | undefined;
  /** @param wasValid Whether the token was valid recently. */
  countFailure(wasValid?: boolean): void;
  trust(): void;
}

/** A call that waits for the authorization of its caller. */
interface Claimant extends QueryCaller {
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
    const requested = readRequestedOrg(permission, orgId, publishedOrgId);
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
    if (found.token_id !== null && !isUnknownOrg(found, requested)) knownCallers.set(key, found);
    throwIfDenied(found, requested, permission);
    return { ...toPrincipal(found, lookup), authority: KNOWN };
  };
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
