import { type Kysely, sql } from "kysely";
import type { Principal } from "../call.ts";
import type { Clock } from "../clock.ts";
import { hashSecret, isId, isToken } from "../crypto/secrets.ts";
import { prepareStatement } from "../database/prepare.ts";
import type { Tables } from "../database/tables.ts";
import { invalidArgument, SignetError } from "../errors.ts";
import { batchLookups } from "./batch-lookups.ts";
import { createRecentSet } from "./recent-set.ts";
import { isAllowed, isInstancePermission, type Permission } from "./roles.ts";

/** What a request says about its caller. */
export interface Credentials {
  /** The header `authorization`; undefined where there is none. */
  readonly authorization: string | undefined;
  /** The header `x-service-orgid`. */
  readonly orgId: string | undefined;
  readonly client: Client;
}

/** The budgets of the address that a request comes from. */
export interface Client {
  /** The error for a caller whose token is not known to be valid, where its address has used up its budget. */
  refuseStranger(): SignetError | undefined;
  countFailure(): void;
  trust(): void;
}

export type Authorize = (credentials: Credentials, permission: Permission) => Promise<Principal>;

/**
 * Creates a function that resolves a token to its user and checks that the user has the permission in the organization.
 * Calls that arrive in the same tick share one query.
 *
 * Every call looks its token up. Tokens that were valid recently are remembered for one purpose: their calls are served
 * although their address has failed so often that other tokens are refused without a query.
 *
 * The function throws SignetError: TOKEN_MISSING, TOKEN_INVALID, TOO_MANY_REQUESTS, INVALID_ARGUMENT (organization
 * header), PERMISSION_DENIED, ORG_NOT_FOUND, or for a failure of the database.
 */
export function createAuthorize(db: Kysely<Tables>, clock: Clock): Authorize {
  const findPrincipal = batchLookups(
    (questions: readonly Question[]) => findPrincipals(db, questions, clock()),
    ({ key, orgId }) => `${key} ${orgId}`,
  );
  const validTokens = createRecentSet(MOST_VALID_TOKENS);

  return async ({ authorization, orgId, client }, permission) => {
    const token = readBearerToken(authorization, client);
    const hash = hashSecret(token);
    const key = hash.toString("latin1");
    if (!validTokens.has(key)) throwIfRefused(client);
    const onInstance = isInstancePermission(permission);
    const requested = readOrgHeader(onInstance ? undefined : orgId);
    const principal = await findPrincipal({ hash, key, orgId: requested.id });
    if (principal === undefined) {
      validTokens.delete(key);
      client.countFailure();
      throw tokenInvalid();
    }
    validTokens.add(key);
    client.trust();
    if (requested.problem !== undefined) {
      throw invalidArgument({ field: "x-service-orgid", description: requested.problem });
    }

    const { user_id: userId, instance_id: instanceId, instance_roles, org_roles } = principal;
    const holds = (roles: readonly string[]) => roles.some((role) => isAllowed(role, permission));
    const isUnknown = requested.given && (requested.id === null || !principal.org_exists);
    if (holds(instance_roles)) {
      if (isUnknown) throw new SignetError("ORG_NOT_FOUND", "the organization does not exist");
    } else if (onInstance || isUnknown || !holds(org_roles)) {
      throw new SignetError("PERMISSION_DENIED", `the caller lacks the permission ${permission}`);
    }
    return { userId, instanceId, orgId: requested.id ?? principal.org_id };
  };
}

/** About 2 MB. */
const MOST_VALID_TOKENS = 10_000;

function throwIfRefused(client: Client): void {
  const refusal = client.refuseStranger();
  if (refusal !== undefined) throw refusal;
}

function tokenInvalid(): SignetError {
  return new SignetError("TOKEN_INVALID", "the token is unknown, expired or revoked");
}

/** RFC 6750, section 2.1: `Bearer`, without regard to case, one space or more, the token. */
function readBearerToken(authorization: string | undefined, client: Client): string {
  const [, token] = /^bearer +([^ ]+)$/i.exec(authorization ?? "") ?? [];
  if (token !== undefined && isToken(token)) return token;
  throwIfRefused(client);
  client.countFailure();
  if (token !== undefined) throw tokenInvalid();
  const problem = authorization ? "the authorization header is not of the form `Bearer <token>`" : MISSING;
  throw new SignetError("TOKEN_MISSING", problem);
}

const MISSING = "the request has no authorization header";

/** A problem is returned, not thrown: a caller without a valid token gets an answer about the token alone. */
function readOrgHeader(text = ""): { given: boolean; id: string | null; problem?: string } {
  const given = text !== "";
  // Headers of one name arrive joined by commas (RFC 9110, section 5.3).
  if (text.includes(",")) return { given, id: null, problem: "must be given once" };
  if (!/^[\x20-\x7e]*$/.test(text)) return { given, id: null, problem: "must be ASCII" };
  return { given, id: isId(text) ? text.toLowerCase() : null };
}

interface PrincipalRow {
  /** Position of the question, from 1. */
  number: number;
  user_id: string;
  org_id: string;
  instance_id: string;
  org_exists: boolean;
  instance_roles: string[];
  org_roles: string[];
}

/** A token and the requested organization; null for the user's own. */
interface Question {
  readonly hash: Buffer;
  /** The hash as text. */
  readonly key: string;
  readonly orgId: string | null;
}

/** Returns a row for each question; undefined if its token is not valid. */
async function findPrincipals(
  db: Kysely<Tables>,
  questions: readonly Question[],
  now: Date,
): Promise<(PrincipalRow | undefined)[]> {
  const hashes = questions.map(({ hash }) => hash);
  const orgIds = questions.map(({ orgId }) => orgId);
  const rows = await selectPrincipals(db, { hashes, orgIds, now });
  const found = new Map(rows.map((row) => [row.number, row]));
  return questions.map((_question, index) => found.get(index + 1));
}

interface FindValues {
  hashes: Buffer[];
  orgIds: (string | null)[];
  now: Date;
}

/** Selects the users of tokens, and their roles in the instance and in the requested organizations. */
const selectPrincipals = prepareStatement<FindValues, PrincipalRow>((db, param) => {
  const asked = sql<{
    hash: Buffer;
    org_id: string | null;
    number: number;
  }>`unnest(${param("hashes", "bytea[]")}, ${param("orgIds", "uuid[]")}) with ordinality`;
  return db
    .selectFrom(asked.as<"asked">(sql`asked (hash, org_id, number)`))
    .innerJoin("tokens", "tokens.hash", "asked.hash")
    .innerJoin("instance", (join) => join.onTrue())
    .select((eb) => {
      const targetOrg = () => sql<string>`coalesce(asked.org_id, tokens.org_id)`;
      const rolesIn = (scope: ReturnType<typeof targetOrg>) =>
        sql<string[]>`array(${eb
          .selectFrom("members")
          .select("role")
          .whereRef("members.user_org_id", "=", "tokens.org_id")
          .whereRef("members.user_id", "=", "tokens.user_id")
          .where("members.scope_id", "=", scope)})`;
      return [
        sql<number>`asked.number::int`.as("number"),
        "tokens.user_id",
        "tokens.org_id",
        "instance.id as instance_id",
        eb
          .exists(eb.selectFrom("orgs").select("orgs.id").where("orgs.id", "=", targetOrg()))
          .$castTo<boolean>()
          .as("org_exists"),
        rolesIn(sql<string>`instance.id`).as("instance_roles"),
        rolesIn(targetOrg()).as("org_roles"),
      ];
    })
    .where("tokens.revoked_at", "is", null)
    .where((eb) =>
      eb.or([eb("tokens.expires_at", "is", null), eb("tokens.expires_at", ">", param("now", "timestamptz"))]),
    );
});
