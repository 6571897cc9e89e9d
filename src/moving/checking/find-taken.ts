import type {
  BulkCheckHumanUsersResponse_Result,
  ImportHumanUserRequest,
} from "../../../gen/signet/v1/management_pb.js";
import { ConfigError } from "../../config/config-error.ts";
import type { Violation } from "../../errors.ts";
import { encodeText } from "../../fields/bytes.ts";
import { trimText } from "../../fields/trim-text.ts";
import { inOrg } from "../in-org.ts";
import type { MovingApi } from "../moving-api.ts";
import { callPatiently, isFailure, type Patience } from "../running/call-patiently.ts";

/** A user to import. */
export interface Candidate {
  readonly orgId: string;
  readonly sourceId: string;
  readonly request: ImportHumanUserRequest;
}

/** What the target has already: the user, or something of the user that is unique. */
type Taken =
  | { readonly kind: "exists"; readonly userId: string }
  | { readonly kind: "taken"; readonly problems: readonly Violation[] };

/** Users in one call; see `BulkCheckHumanUsersRequest`. */
const AT_ONCE = 50;

/**
 * Finds what the target has of the candidates. The import itself finds a `sub` that a user of another organization has, and
 * refuses a user whom the target could not look up.
 *
 * @returns The candidates of which the target has something.
 * @throws ConfigError if the target accepts no calls; Stopped.
 */
export async function findTaken(
  api: MovingApi,
  patience: Patience,
  candidates: readonly Candidate[],
): Promise<ReadonlyMap<Candidate, Taken>> {
  const found = new Map<Candidate, Taken>();
  await Promise.all(groupByOrg(candidates, AT_ONCE).map(([orgId, group]) => lookUp(orgId, group)));
  return found;

  async function lookUp(orgId: string, group: readonly Candidate[]): Promise<void> {
    const users = group.map(toUniqueValues);
    const response = await callPatiently(patience, () => api.management.bulkCheckHumanUsers({ users }, inOrg(orgId)));
    if (!isFailure(response)) {
      for (const [n, each] of group.entries()) {
        const taken = toTaken(response.results[n]);
        if (taken !== undefined) found.set(each, taken);
      }
    } else if (group.length > 1) {
      // They are too large together, or one of them breaks a rule that a browser does not check.
      await Promise.all(group.map((each) => lookUp(orgId, [each])));
    }
  }
}

/** Groups of at most `most` items, each of one organization. */
export function groupByOrg<Item extends { readonly orgId: string }>(items: readonly Item[], most: number) {
  const groups: [orgId: string, items: readonly Item[]][] = [];
  for (const [orgId, ofOrg] of Map.groupBy(items, (each) => each.orgId)) {
    for (let from = 0; from < ofOrg.length; from += most) groups.push([orgId, ofOrg.slice(from, from + most)]);
  }
  return groups;
}

function toUniqueValues({ sourceId, request: { userName, email, phone, subject, idps } }: Candidate) {
  return {
    externalId: encodeText(sourceId),
    userName: trimText(userName),
    email: { email: email?.email ?? "", isEmailVerified: email?.isEmailVerified ?? false },
    phone: { phone: phone?.phone ?? "", isPhoneVerified: phone?.isPhoneVerified ?? false },
    subject,
    idps: idps.map(({ configId, externalUserId }) => ({ configId, externalUserId })),
  };
}

function toTaken(result: BulkCheckHumanUsersResponse_Result | undefined): Taken | undefined {
  if (result === undefined) throw new ConfigError("the response has no result for a user");
  if (result.userId !== "") return { kind: "exists", userId: result.userId };
  if (result.taken.length === 0) return undefined;
  const describe = (userId: string) => `is taken in the target, by user ${userId}`;
  return {
    kind: "taken",
    problems: result.taken.map(({ field, userId }) => ({ field, description: describe(userId) })),
  };
}
