import type { ImportHumanUserRequest } from "../../../gen/signet/v1/management_pb.js";
import type { Violation } from "../../errors.ts";
import type { Droppable, ImportOptions } from "../options.ts";
import type { InputRecord } from "../reading/input-record.ts";
import type { JoinedRecords } from "../reading/read-users.ts";
import type { Place } from "../report/outcome.ts";
import type { Converted, Source, SourceUser } from "../source.ts";
import { uniqueBy } from "../unique-by.ts";
import type { ImportRules } from "./import-rules.ts";
import { mergeUsers } from "./merge-users.ts";
import { withPlaceholder } from "./placeholder-address.ts";
import type { Merges, RecordPlace } from "./record-place.ts";
import { toRequest } from "./to-request.ts";

/** What a record of an export becomes. */
export type Prepared =
  | {
      readonly kind: "ready";
      readonly sourceId: string;
      /** The records of the user, several if they were merged. That with the id of the user is the first. */
      readonly records: readonly [RecordPlace, ...RecordPlace[]];
      readonly sourceOrg: string | undefined;
      readonly request: ImportHumanUserRequest;
      readonly lost: readonly string[];
      readonly nameRule: string | undefined;
      /** See `NamedByAddress`. */
      readonly addressNameSuffix: string | undefined;
      /** Whether other records of the export belong to the user. */
      readonly isMatched: boolean;
    }
  /** A part of the user of an earlier record. */
  | { readonly kind: "merged" }
  | { readonly kind: "skipped"; readonly sourceId: string | undefined; readonly reason: string }
  | {
      readonly kind: "refused";
      /** Those of the user, several if they were merged. */
      readonly records: readonly Place[];
      readonly problems: readonly Violation[];
      readonly lost: readonly string[];
    };

export interface PrepareParts {
  readonly source: Source;
  readonly joined: JoinedRecords | undefined;
  /** Undefined if no records are merged. */
  readonly merges: Merges | undefined;
  readonly options: ImportOptions;
  readonly rules: ImportRules;
  /** Whether the record was checked before, and is only converted again. */
  readonly isChecked: boolean;
}

/**
 * Converts a record, and checks all rules of ImportHumanUser that depend on nothing but the request.
 *
 * @param n The number of the record.
 */
export async function prepareRecord(parts: PrepareParts, record: InputRecord, n: number): Promise<Prepared> {
  const { file, line } = record;
  if (record.value === undefined)
    return refused([{ n, file, line }], [{ field: "", description: record.problem ?? "is empty" }]);
  const { converted, isMatched } = convertRecord(parts, record.value);
  if (converted.kind === "skipped") return { kind: "skipped", sourceId: converted.sourceId, reason: converted.reason };
  if (converted.kind === "refused") {
    const { sourceId, problems, lost } = converted;
    return refused([{ n, file, line, sourceId }], problems, lost);
  }
  if (parts.merges?.isLater(n)) return { kind: "merged" };
  const place = { n, file, line, sourceId: converted.user.sourceId };
  const later = parts.merges?.findLater(n) ?? [];
  const user =
    later.length === 0
      ? converted.user
      : mergeUsers([converted.user, ...later.map((each) => each.user)], parts.options);
  const records = [place, ...later.map(({ user: _, ...each }) => each)];
  return await toReady(parts, user, isMatched, ownFirst(records, user.sourceId));
}

function ownFirst(records: readonly RecordPlace[], id: string): readonly [RecordPlace, ...RecordPlace[]] {
  const own = records.find(({ sourceId }) => sourceId === id);
  if (own === undefined) throw new Error("a user has no record");
  return [own, ...records.filter((each) => each !== own)];
}

/** Only the converted record has the id by which the values of other records are found, so it is converted again with them. */
export function convertRecord(
  { source, joined, options }: Pick<PrepareParts, "source" | "joined" | "options">,
  value: Readonly<Record<string, unknown>>,
) {
  const converted = convertSafely(source, options, value);
  const sourceId = converted.kind === "user" ? converted.user.sourceId : converted.sourceId;
  const values = sourceId === undefined || converted.kind === "skipped" ? undefined : joined?.find(sourceId);
  if (values === undefined) return { converted, isMatched: false };
  return { converted: convertSafely(source, options, { ...value, ...values }), isMatched: true };
}

/** A value of a type that no export has must not end the run. */
function convertSafely(source: Source, options: ImportOptions, value: Readonly<Record<string, unknown>>): Converted {
  try {
    return source.convert(value, options);
  } catch (error) {
    return {
      kind: "refused",
      problems: [{ field: "", description: `cannot be converted: ${(error as Error).message}` }],
    };
  }
}

async function toReady(
  parts: PrepareParts,
  given: SourceUser,
  isMatched: boolean,
  records: readonly [RecordPlace, ...RecordPlace[]],
): Promise<Prepared> {
  const { options, rules, isChecked } = parts;
  const user = options.missingEmail === undefined ? given : await withPlaceholder(given, parts.source.name);
  const { request, lost, problems, nameRule } = toRequest(user, options, rules);
  const dropped = isChecked && options.dropInvalid.length === 0 ? [] : await dropInvalid(parts, request, problems);
  if (!Array.isArray(dropped)) return refused(records, dropped.problems, lost);
  const { sourceId, sourceOrg } = user;
  const addressNameSuffix = user.userName?.trim() ? undefined : (user.links?.[0]?.provider ?? "");
  return {
    ...{ kind: "ready", sourceId, sourceOrg, records, request, nameRule, addressNameSuffix, isMatched },
    lost: [...lost, ...dropped.map((each) => `${each} (invalid)`)],
  };
}

/** Checks a request, and removes invalid values that may be missing. Returns what it has removed, or the problems. */
async function dropInvalid(
  { options, rules }: PrepareParts,
  request: ImportHumanUserRequest,
  converting: readonly Violation[],
): Promise<Droppable[] | { readonly problems: readonly Violation[] }> {
  const dropped: Droppable[] = [];
  for (;;) {
    const remaining = converting.filter(({ field }) => !dropped.some((each) => each === droppableOf(field)));
    const problems = uniqueBy([...remaining, ...(await rules.findProblems(request))], ({ field }) => field);
    if (problems.length === 0) return dropped;
    const drops = problems.flatMap(({ field }) => droppableOf(field) ?? []).filter((each) => !dropped.includes(each));
    const mayDrop = (each: Droppable | undefined) => each !== undefined && options.dropInvalid.includes(each);
    if (drops.length === 0 || !problems.every(({ field }) => mayDrop(droppableOf(field)))) return { problems };
    for (const each of new Set(drops)) {
      DROPS[each](request);
      dropped.push(each);
    }
  }
}

function refused(
  records: readonly Place[],
  problems: readonly Violation[],
  lost: readonly string[] = [],
): Extract<Prepared, { kind: "refused" }> {
  return { kind: "refused", records, problems, lost };
}

function droppableOf(field: string): Droppable | undefined {
  return FIELDS.find(([start]) => field.startsWith(start))?.[1];
}

const FIELDS: readonly (readonly [string, Droppable])[] = [
  ["phone", "phone"],
  ["hashedPassword", "password"],
  ["otpCode", "otp"],
  ["profile.preferredLanguage", "language"],
  ["metadata", "metadata"],
  ["idps", "links"],
  ["passkeys", "passkeys"],
];

const DROPS: Readonly<Record<Droppable, (request: ImportHumanUserRequest) => void>> = {
  phone: (request) => {
    delete request.phone;
  },
  password: (request) => {
    delete request.hashedPassword;
  },
  otp: (request) => {
    request.otpCode = "";
  },
  language: (request) => {
    if (request.profile) request.profile.preferredLanguage = "";
  },
  metadata: (request) => {
    // The first one is the id in the source.
    request.metadata = request.metadata.slice(0, 1);
  },
  links: (request) => {
    request.idps = [];
  },
  passkeys: (request) => {
    request.passkeys = [];
  },
};
