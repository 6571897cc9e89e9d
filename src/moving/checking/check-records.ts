import { ConfigError } from "../../config/config-error.ts";
import { trimText } from "../../fields/trim-text.ts";
import { userNameKey } from "../../fields/user-name.ts";
import { claimName, OTHER_NAME } from "../converting/free-name.ts";
import type { Prepared, PrepareParts } from "../converting/prepare-record.ts";
import { prepareRecord } from "../converting/prepare-record.ts";
import type { Target } from "../moving-api.ts";
import type { InputRecord } from "../reading/input-record.ts";
import { type Input, readUsers } from "../reading/read-users.ts";
import type { FinishedRecords } from "../report/finished-records.ts";
import type { Outcome } from "../report/outcome.ts";
import { createPatience, Stopped } from "../running/call-patiently.ts";
import { createPace } from "../running/pace.ts";
import type { WorkIndex } from "../work-index.ts";
import { type Candidate, findTaken } from "./find-taken.ts";
import { createTally, type Findings } from "./tally.ts";

export interface CheckParts extends PrepareParts {
  readonly input: Input;
  readonly target: Target;
  readonly index: WorkIndex;
  /** Gets the outcomes of records that cannot be imported. */
  readonly report: { append(outcome: Outcome): void };
  /** Records that need no check, because they have an outcome. */
  readonly finished: FinishedRecords;
  /** The most calls at once. */
  readonly concurrency: number;
  readonly stopped: AbortSignal;
  /** Gets the number of records that were checked. */
  readonly onProgress?: (count: number) => void;
}

/** A record that the target could accept, as far as the record itself and the others of the file tell. */
interface Open extends Candidate {
  readonly n: number;
  readonly record: InputRecord;
  readonly prepared: Extract<Prepared, { kind: "ready" }>;
}

/** Users who are looked up together: eight calls. */
const GROUP = 400;

/** Reads all records, and checks them without changing anything. */
export async function checkRecords(parts: CheckParts): Promise<Findings> {
  const { input, target, finished, report, stopped } = parts;
  const tally = createTally();
  const patience = createPatience(createPace(parts.concurrency), stopped);
  let n = -1;
  let open: Open[] = [];
  let inFlight = 0;
  let lookingUp = Promise.resolve();
  try {
    for await (const records of readUsers(input, parts.source)) {
      if (stopped.aborted) break;
      for (const record of records) {
        n += 1;
        const checked = await checkAlone(n, record);
        if (checked !== undefined) open.push(checked);
      }
      if (open.length >= GROUP) await lookUpOpen();
      parts.onProgress?.(n + 1 - open.length - inFlight);
    }
    await lookUpOpen();
    await lookingUp;
    parts.onProgress?.(n + 1);
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
  }
  return tally.findings();

  /** Waits for the look-up of the earlier users, and starts that of the open ones, during which the next are read. */
  async function lookUpOpen(): Promise<void> {
    await lookingUp;
    inFlight = open.length;
    lookingUp = lookUp(open);
    // An error is thrown by the next wait.
    lookingUp.catch(() => {});
    open = [];
  }

  async function lookUp(candidates: readonly Open[]): Promise<void> {
    const taken = await findTaken(target.api, patience, candidates);
    for (const each of candidates) {
      const found = taken.get(each);
      if (found?.kind === "taken") refuse(each.n, each.record, each.sourceId, found.problems);
      else if (found?.kind === "exists") tally.addExisting();
      else tally.addReady(each.prepared);
    }
    inFlight = 0;
  }

  async function checkAlone(number: number, record: InputRecord): Promise<Open | undefined> {
    const prepared = await prepareRecord(parts, record);
    const isFinished = finished.get(number) !== undefined;
    if (isFinished) tally.addFinished();
    switch (prepared.kind) {
      case "skipped":
        if (!isFinished) skip(number, record, prepared);
        return undefined;
      case "refused":
        if (!isFinished) refuse(number, record, prepared.sourceId, prepared.problems);
        return undefined;
      case "ready":
        break;
      default:
        return prepared satisfies never;
    }
    const { sourceId, sourceOrg, request } = prepared;
    const org = await target.findOrg(sourceOrg);
    if (org === undefined) {
      if (!isFinished) refuse(number, record, sourceId, [{ field: "", description: describeMissingOrg(sourceOrg) }]);
      return undefined;
    }
    const hasOtherName = claimName(parts.index, number, prepared, (key) =>
      isFirst(parts, org.id, "userName", key, record),
    );
    const problem = claim(parts, { sourceId, orgId: org.id, request }, prepared, record);
    if (isFinished) return undefined;
    if (problem !== undefined) refuse(number, record, sourceId, [problem]);
    const named = hasOtherName ? { ...prepared, lost: [...prepared.lost, OTHER_NAME] } : prepared;
    return problem === undefined ? { n: number, record, prepared: named, orgId: org.id, sourceId, request } : undefined;
  }

  function refuse(
    number: number,
    { file, line }: InputRecord,
    sourceId: string | undefined,
    problems: Refusal["problems"],
  ) {
    tally.addRefused(problems, `${file}:${line}`);
    const id = sourceId === undefined ? {} : { sourceId };
    report.append({ n: number, file, line, ...id, outcome: "refused", problems });
  }

  function skip(
    number: number,
    { file, line }: InputRecord,
    { sourceId, reason }: Extract<Prepared, { kind: "skipped" }>,
  ) {
    tally.addSkipped(reason);
    const id = sourceId === undefined ? {} : { sourceId };
    report.append({ n: number, file, line, ...id, outcome: "skipped", reason });
  }
}

type Refusal = Extract<Outcome, { outcome: "refused" }>;

function describeMissingOrg(sourceOrg = ""): string {
  return `the target has no organization "${sourceOrg}"; choose one with --org, or --org-map "${sourceOrg}=<id or name>"`;
}

/** Claims what must be unique in an organization. The first record with a value keeps it. */
function claim(
  { input, index, options }: CheckParts,
  candidate: Candidate,
  { addressNameSuffix }: Open["prepared"],
  record: InputRecord,
) {
  const place = placeOf(input, record);
  for (const [field, value] of uniqueValues(candidate)) {
    if (field === "email.email" && options.allowShared.includes("email")) continue;
    // It was claimed before.
    if (field === "userName" && addressNameSuffix !== undefined) continue;
    if (field === "phone.phone" && options.allowShared.includes("phone")) continue;
    const first = index.claim(`${candidate.orgId} ${field.replace(/\d+/, "")}`, value, place);
    if (first === undefined) continue;
    const name = input.names[first.file];
    if (name === undefined) throw new ConfigError("a file was removed from the list of files");
    const hint = SHARED.get(field) ?? "";
    return { field, description: `is that of an earlier record, at ${name}:${first.line}${hint}` };
  }
  return undefined;
}

/** What imports both. */
const SHARED = new Map([
  ["email.email", "; --allow-shared email imports both"],
  ["phone.phone", "; --allow-shared phone imports both"],
]);

function isFirst({ input, index }: CheckParts, orgId: string, field: string, value: string, record: InputRecord) {
  return index.claim(`${orgId} ${field}`, value, placeOf(input, record)) === undefined;
}

function placeOf({ names }: Input, { file, line }: InputRecord) {
  return { file: names.indexOf(file), line };
}

function uniqueValues({ sourceId, request }: Candidate): (readonly [string, string])[] {
  const { userName, email, phone, idps } = request;
  return [
    ["id", sourceId],
    ...(request.subject === "" ? [] : [["subject", request.subject] as const]),
    ["userName", userNameKey(trimText(userName))],
    ["email.email", (email?.email ?? "").toLowerCase()],
    ...(phone?.phone === undefined ? [] : [["phone.phone", phone.phone] as const]),
    ...idps.map(
      ({ configId, externalUserId }, n) => [`idps[${n}]`, `${configId.toLowerCase()} ${externalUserId}`] as const,
    ),
  ];
}
