import type { User } from "../../../gen/signet/v1/user_pb.js";
import { ConfigError } from "../../config/config-error.ts";
import { trimText } from "../../fields/trim-text.ts";
import { userNameKey } from "../../fields/user-name.ts";
import { claimName, OTHER_NAME } from "../converting/free-name.ts";
import type { Prepared, PrepareParts } from "../converting/prepare-record.ts";
import { prepareRecord } from "../converting/prepare-record.ts";
import { byReport, type RecordPlace } from "../converting/record-place.ts";
import type { Target } from "../moving-api.ts";
import type { InputRecord } from "../reading/input-record.ts";
import { type Input, readUsers } from "../reading/read-users.ts";
import type { FinishedRecords } from "../report/finished-records.ts";
import type { Outcome, Place } from "../report/outcome.ts";
import { callPatiently, createPatience, isFailure, Stopped } from "../running/call-patiently.ts";
import { keepPlan } from "../running/checked-plans.ts";
import { createPace } from "../running/pace.ts";
import { planUpdate } from "../running/plan-update.ts";
import { AT_ONCE, findUsers } from "../running/undo-users.ts";
import type { WorkIndex } from "../work-index.ts";
import { type Candidate, findTaken } from "./find-taken.ts";
import { createTally, type Findings } from "./tally.ts";

interface CheckParts extends PrepareParts {
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
    const existing: [Open, string][] = [];
    for (const each of candidates) {
      const found = taken.get(each);
      const { records } = each.prepared;
      if (found?.kind === "taken") {
        refuseAll(records, found.problems);
        continue;
      }
      if (found?.kind === "exists") existing.push([each, found.userId]);
      else tally.addReady(each.prepared);
      addMerged(records);
    }
    if (parts.options.update) await planAll(existing);
    for (const _ of existing) tally.addExisting();
    inFlight = 0;
  }

  async function planAll(existing: readonly [Open, string][]): Promise<void> {
    const calls: Promise<void>[] = [];
    for (const [orgId, ofOrg] of Map.groupBy(existing, ([each]) => each.orgId)) {
      for (let from = 0; from < ofOrg.length; from += AT_ONCE)
        calls.push(plan(orgId, ofOrg.slice(from, from + AT_ONCE)));
    }
    await Promise.all(calls);
  }

  async function plan(orgId: string, existing: readonly [Open, string][]): Promise<void> {
    const group = new Map(existing.map(([each, userId]) => [userId, each]));
    const users = await findUsers(target.api, patience, orgId, [...group.keys()]);
    await Promise.all(users.map((user) => planOne(group.get(user.id), user)));
  }

  /** Finds what an update of a user will change. */
  async function planOne(open: Open | undefined, user: User): Promise<void> {
    if (open === undefined) return;
    const { orgId, request, prepared } = open;
    const { api, callerId = "" } = target;
    const sendsMessages = parts.options.messages === "send";
    const plan = await callPatiently(patience, () =>
      planUpdate({ api, callerId, sendsMessages }, user, request, orgId),
    );
    // The update itself says why it is refused.
    if (isFailure(plan)) return;
    const { id: userId } = user;
    const [place] = prepared.records;
    keepPlan(parts.index, place.n, user, plan);
    tally.addPlan(place.sourceId, plan);
    const { changes, kept, others } = plan;
    if (changes.length > 0)
      report.append({ ...place, outcome: "updated", userId, orgId, changes, kept, fields: others });
  }

  async function checkAlone(number: number, record: InputRecord): Promise<Open | undefined> {
    const prepared = await prepareRecord(parts, record, number);
    const isFinished = finished.get(number) !== undefined;
    if (isFinished) tally.addFinished();
    switch (prepared.kind) {
      case "merged":
        return undefined;
      case "skipped":
        if (!isFinished) skip(number, record, prepared);
        return undefined;
      case "refused":
        refuseAll(prepared.records, prepared.problems, prepared.lost);
        return undefined;
      case "ready":
        break;
      default:
        return prepared satisfies never;
    }
    const { sourceId, sourceOrg, request, records } = prepared;
    const org = await target.findOrg(sourceOrg);
    if (org === undefined) {
      if (!isFinished) refuseAll(records, [{ field: "", description: describeMissingOrg(sourceOrg) }]);
      return undefined;
    }
    const hasOtherName = claimName(parts.index, number, prepared, (key) =>
      isFirst(parts, org.id, "userName", key, record),
    );
    const problem = claim(parts, { sourceId, orgId: org.id, request }, prepared, record);
    if (isFinished) return undefined;
    if (problem !== undefined) refuseAll(records, [problem]);
    const named = hasOtherName ? { ...prepared, lost: [...prepared.lost, OTHER_NAME] } : prepared;
    return problem === undefined ? { prepared: named, orgId: org.id, sourceId, request } : undefined;
  }

  /** The records of a user are refused together, so that they can be imported together. */
  function refuseAll(records: readonly Place[], problems: Refusal["problems"], lost?: readonly string[]) {
    for (const place of unfinished(records)) {
      tally.addRefused(problems, `${place.file}:${place.line}`, lost);
      report.append({ ...place, outcome: "refused", problems });
    }
  }

  function addMerged([own, ...others]: readonly [RecordPlace, ...RecordPlace[]]) {
    for (const place of unfinished(others)) {
      tally.addMerged(`${place.file}:${place.line} into ${own.file}:${own.line}`);
      report.append({ ...place, outcome: "merged", into: own.sourceId });
    }
  }

  /** A process that was killed between two of them has reported some. */
  function unfinished<Each extends Place>(records: readonly Each[]): readonly Each[] {
    return records.filter(({ n: each }) => finished.get(each) === undefined).sort(byReport);
  }

  function skip(
    number: number,
    { file, line }: InputRecord,
    { sourceId, reason }: Extract<Prepared, { kind: "skipped" }>,
  ) {
    tally.addSkipped(reason, `${file}:${line}`);
    report.append({ n: number, file, line, sourceId, outcome: "skipped", reason });
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
