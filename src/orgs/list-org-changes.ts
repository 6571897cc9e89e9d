import type { Call } from "../call.ts";
import type { Database } from "../database/database.ts";
import type { Problems } from "../errors.ts";
import {
  type ChangeQuery,
  type ChangeRange,
  type ChangeRow,
  checkChangeQuery,
  listChanges,
} from "../events/list-changes.ts";
import { orgNotFound } from "./list-orgs.ts";

/** Checks the rules of ListOrgChangesRequest that the schema cannot express. */
export function checkListOrgChanges(
  { query }: { readonly query?: ChangeQuery | undefined },
  problems: Problems,
): ChangeRange {
  return checkChangeQuery(query, problems);
}

/**
 * Lists the events of the organization of the call, without their payloads (docs/reference/organizations.md).
 *
 * @throws SignetError ORG_NOT_FOUND, or for a failure of the database.
 */
export async function listOrgChanges(
  { db }: { readonly db: Database },
  range: ChangeRange,
  call: Call,
): Promise<ChangeRow[]> {
  const { orgId } = call;
  const rows = await listChanges(db, { orgId, id: orgId, kind: "org" }, range, call);
  if (rows === undefined) throw orgNotFound(orgId, "the organization does not exist");
  return rows;
}
