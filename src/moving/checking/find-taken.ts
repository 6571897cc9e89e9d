import type { MessageInitShape } from "@bufbuild/protobuf";
import type { CallOptions } from "@connectrpc/connect";
import { TextQueryMethod } from "../../../gen/signet/v1/list_pb.js";
import type { ImportHumanUserRequest } from "../../../gen/signet/v1/management_pb.js";
import type { User } from "../../../gen/signet/v1/user_pb.js";
import { type SearchQuerySchema, TypeQuery_Type } from "../../../gen/signet/v1/user_search_pb.js";
import type { Violation } from "../../errors.ts";
import { userNameKey } from "../../fields/user-name.ts";
import { EXTERNAL_ID } from "../converting/to-request.ts";
import { inOrg } from "../in-org.ts";
import type { MovingApi } from "../moving-api.ts";
import { type Patience, readPatiently } from "../running/call-patiently.ts";

/** A user to import. */
export interface Candidate {
  readonly orgId: string;
  readonly sourceId: string;
  readonly request: ImportHumanUserRequest;
}

/** What the target has already: the user, or something of the user that is unique. */
export type Taken = { readonly kind: "exists" } | { readonly kind: "taken"; readonly problem: Violation } | undefined;

export interface FindTaken {
  /** Returns what the target has of each candidate. */
  (candidates: readonly Candidate[]): Promise<Taken[]>;
  /** Whether all candidates that had to be were looked up. */
  readonly isComplete: () => boolean;
}

/** Conditions of one search; see `SearchQuery`. */
const CONDITIONS = 20;

/** Calls for ids and links, which take one each. Beyond that, the import itself finds those that are taken. */
const MOST_CALLS = 20_000;

/**
 * An organization without people takes one call.
 *
 * @param mostCalls Calls for ids and links.
 */
export function createFindTaken(api: MovingApi, patience: Patience, mostCalls = MOST_CALLS): FindTaken {
  const search: Search = (queries, options, limit = 100) =>
    readPatiently(patience, async () => {
      const { result } = await api.management.listUsers({ query: { limit }, queries }, options);
      return result;
    });
  let calls = 0;
  const empty = new Map<string, Promise<boolean>>();
  const isEmpty = (orgId: string) => {
    const known = empty.get(orgId) ?? hasNoPeople(search, inOrg(orgId));
    empty.set(orgId, known);
    return known;
  };
  const mayCall = () => {
    calls += 1;
    return calls <= mostCalls;
  };
  const find = async (candidates: readonly Candidate[]): Promise<Taken[]> => {
    const taken: Taken[] = candidates.map(() => undefined);
    const searches: Promise<void>[] = [];
    for (const orgId of new Set(candidates.map((each) => each.orgId))) {
      if (await isEmpty(orgId)) continue;
      const positions = candidates.flatMap((each, at) => (each.orgId === orgId ? [at] : []));
      for (let at = 0; at < positions.length; at += CONDITIONS) {
        searches.push(findGroup(positions.slice(at, at + CONDITIONS), orgId));
      }
    }
    await Promise.all(searches);
    return taken;

    async function findGroup(positions: readonly number[], orgId: string): Promise<void> {
      if (calls > mostCalls) return;
      const group = positions.flatMap((at) => candidates[at] ?? []);
      const options = inOrg(orgId);
      const known = {
        names: await findNames(search, group, options),
        subjects: await findSubjects(search, group, options),
      };
      await Promise.all(
        group.map(async (each, n) => {
          const found = await findOne(each, known, options);
          const at = positions[n];
          if (at !== undefined) taken[at] = found;
        }),
      );
    }
  };

  async function findOne(
    { sourceId, request }: Candidate,
    { names, subjects }: Record<"names" | "subjects", ReadonlyMap<string, User>>,
    options: CallOptions,
  ): Promise<Taken> {
    // A user of an earlier import has the name and the subject, too: only the id tells them from other users.
    if (!mayCall()) return undefined;
    const [found] = await search([{ query: ofExternalId(sourceId) }], options);
    if (found !== undefined) return { kind: "exists" };
    const named = names.get(userNameKey(request.userName.trim()));
    const known = subjects.get(request.subject);
    if (named !== undefined) return taken("userName", named.id);
    if (known !== undefined) return taken("subject", known.id);
    for (const [n, { configId, externalUserId }] of request.idps.entries()) {
      if (!mayCall()) return undefined;
      const value = { idpId: configId, externalUserId };
      const [linked] = await search([{ query: { case: "idpLinkQuery", value } }], options);
      if (linked !== undefined) return taken(`idps[${n}]`, linked.id);
    }
    return undefined;
  }

  return Object.assign(find, { isComplete: () => calls <= mostCalls });
}

function taken(field: string, userId: string): Taken {
  return { kind: "taken", problem: { field, description: `is taken in the target, by user ${userId}` } };
}

type Query = MessageInitShape<typeof SearchQuerySchema>;
type Search = (queries: Query[], options: CallOptions, limit?: number) => Promise<User[]>;

/** Finds the user with an id in the source. */
export async function findByExternalId(
  api: MovingApi,
  sourceId: string,
  options: CallOptions,
): Promise<User | undefined> {
  const { result } = await api.management.listUsers({ queries: [{ query: ofExternalId(sourceId) }] }, options);
  return result[0];
}

function ofExternalId(sourceId: string) {
  return { case: "metadataQuery" as const, value: { key: EXTERNAL_ID, value: new TextEncoder().encode(sourceId) } };
}

async function findNames(search: Search, group: readonly Candidate[], options: CallOptions) {
  const method = TextQueryMethod.EQUALS_IGNORE_CASE;
  const queries = group.map(({ request }) => ({
    query: { case: "userNameQuery" as const, value: { userName: request.userName.trim(), method } },
  }));
  const users = await search([{ query: { case: "orQuery", value: { queries } } }], options);
  return new Map(users.map((user) => [userNameKey(user.userName), user]));
}

/** Those of other organizations cannot be searched; the import itself finds them. */
async function findSubjects(search: Search, group: readonly Candidate[], options: CallOptions) {
  const subjects = group.flatMap(({ request }) => (request.subject === "" ? [] : [request.subject]));
  if (subjects.length === 0) return new Map<string, User>();
  const queries = subjects.map((subject) => ({ query: { case: "subjectQuery" as const, value: { subject } } }));
  const users = await search([{ query: { case: "orQuery", value: { queries } } }], options);
  return new Map(users.map((user) => [user.subject, user]));
}

async function hasNoPeople(search: Search, options: CallOptions): Promise<boolean> {
  const people = await search([{ query: { case: "typeQuery", value: { type: TypeQuery_Type.HUMAN } } }], options, 1);
  return people.length === 0;
}
