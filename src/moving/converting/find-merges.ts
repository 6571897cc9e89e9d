import type { Target } from "../moving-api.ts";
import { type Input, readUsers } from "../reading/read-users.ts";
import type { WorkIndex } from "../work-index.ts";
import { convertRecord, type PrepareParts } from "./prepare-record.ts";
import type { MergedRecord, Merges } from "./record-place.ts";

interface FindParts extends Pick<PrepareParts, "source" | "joined" | "options"> {
  readonly input: Input;
  readonly index: WorkIndex;
  readonly target: Target;
  readonly stopped: AbortSignal;
}

/**
 * Reads all records, and finds those whose verified address an earlier one of the same organization has verified, too. Only such records
 * and a digest of each address are kept, in the index, so that memory does not grow.
 *
 * @returns Undefined without `--merge`.
 */
export async function findMerges(parts: FindParts): Promise<Merges | undefined> {
  const { input, index, target, stopped } = parts;
  if (parts.options.merge === undefined) return undefined;
  let n = -1;
  for await (const records of readUsers(input, parts.source)) {
    if (stopped.aborted) break;
    for (const record of records) {
      n += 1;
      const converted = record.value && convertRecord(parts, record.value).converted;
      if (converted?.kind !== "user" || converted.user.emailVerified !== true) continue;
      const { user } = converted;
      const { email = "", sourceId } = user;
      const org = await target.findOrg(user.sourceOrg);
      if (email.trim() === "" || org === undefined) continue;
      const first = index.claim(`${org.id} merge`, email.trim().toLowerCase(), { file: 0, line: n })?.line;
      if (first === undefined) continue;
      const later: MergedRecord = { n, file: record.file, line: record.line, sourceId, user };
      index.addValues("later", first, JSON.stringify(later));
      index.addValues("first", n, String(first));
    }
  }
  return {
    findLater: (number) => index.findValues("later", number).map((values) => JSON.parse(values)),
    isLater: (number) => index.findValues("first", number).length > 0,
  };
}
