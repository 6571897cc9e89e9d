import type { User } from "../../../gen/signet/v1/user_pb.js";
import { ConfigError } from "../../config/config-error.ts";
import { trimText } from "../../fields/trim-text.ts";
import { userNameKey } from "../../fields/user-name.ts";
import { claimName, OTHER_NAME } from "../converting/free-name.ts";
import { type Prepared, type PrepareParts, prepareRecord } from "../converting/prepare-record.ts";
import { byReport } from "../converting/record-place.ts";
import type { Target } from "../moving-api.ts";
import type { Shareable } from "../options.ts";
import type { InputRecord } from "../reading/input-record.ts";
import { type Input, readUsers } from "../reading/read-users.ts";
import type { FinishedRecords } from "../report/finished-records.ts";
import type { Outcome, Place as OutcomePlace } from "../report/outcome.ts";
import { callPatiently, createPatience, isFailure, type Patience, Stopped } from "../running/call-patiently.ts";
import { keepPlan } from "../running/checked-plans.ts";
import { planUpdate } from "../running/plan-update.ts";
import { AT_ONCE, findUsers } from "../running/undo-users.ts";
import type { Place, WorkIndex } from "../work-index.ts";
import { type Candidate, findTaken, groupByOrg } from "./find-taken.ts";
import { createTally, type Findings, type Tally } from "./tally.ts";

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

interface Check extends CheckParts {
  readonly tally: Tally;
  readonly patience: Patience;
}

type Ready = Extract<Prepared, { kind: "ready" }>;

/** A record that the target could accept, as far as the record itself and the others of the file tell. */
interface Open extends Candidate {
  readonly prepared: Ready;
}

/** Users who are looked up together: eight calls. */
const GROUP = 400;

/** Reads all records, and checks them without changing anything. */
export async function checkRecords(parts: CheckParts): Promise<Findings> {
  const { stopped, concurrency, onProgress } = parts;
  const check = { ...parts, tally: createTally(), patience: createPatience(concurrency, stopped) };
  let n = -1;
  let open: Open[] = [];
  let inFlight = 0;
  let lookingUp = Promise.resolve();
  try {
    for await (const records of readUsers(parts.input, parts.source)) {
      if (stopped.aborted) break;
      for (const record of records) {
        n += 1;
        const checked = await checkAlone(check, n, record);
        if (checked !== undefined) open.push(checked);
      }
      if (open.length >= GROUP) await lookUpOpen();
      onProgress?.(n + 1 - open.length - inFlight);
    }
    await lookUpOpen();
    await lookingUp;
    onProgress?.(n + 1);
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
  }
  return check.tally.findings();

  /** Waits for the look-up of the earlier users, and starts that of the open ones, during which the next are read. */
  async function lookUpOpen(): Promise<void> {
    await lookingUp;
    inFlight = open.length;
    lookingUp = lookUp(check, open).finally(() => {
      inFlight = 0;
    });
    // An error is thrown by the next wait.
    lookingUp.catch(() => {});
    open = [];
  }
}

/** Checks a record without the target. Undefined if there is nothing to look up. */
async function checkAlone(check: Check, n: number, record: InputRecord): Promise<Open | undefined> {
  const { finished, tally, report } = check;
  const prepared = await prepareRecord(check, record, n);
  const isFinished = finished.get(n) !== undefined;
  if (isFinished) tally.addFinished();
  switch (prepared.kind) {
    case "merged":
      return undefined;
    case "skipped": {
      if (isFinished) return undefined;
      const { sourceId, reason } = prepared;
      const { file, line } = record;
      tally.addSkipped(reason, `${file}:${line}`);
      report.append({ n, file, line, sourceId, outcome: "skipped", reason });
      return undefined;
    }
    case "refused":
      refuseAll(check, prepared.records, prepared.problems, prepared.lost);
      return undefined;
    case "ready":
      return await checkReady(check, n, prepared, placeOf(check.input, record));
    default:
      return prepared satisfies never;
  }
}

/** Claims what must be unique, also for a finished record, which already has its outcome. */
async function checkReady(check: Check, n: number, prepared: Ready, place: Place): Promise<Open | undefined> {
  const { sourceId, sourceOrg, request, records } = prepared;
  const isFinished = check.finished.get(n) !== undefined;
  const org = await check.target.findOrg(sourceOrg);
  if (org === undefined) {
    if (!isFinished) refuseAll(check, records, [{ field: "", description: describeMissingOrg(sourceOrg) }]);
    return undefined;
  }
  const isFree = (key: string) => check.index.claim(`${org.id} userName`, key, place) === undefined;
  const hasOtherName = claimName(check.index, n, prepared, isFree);
  const open = { orgId: org.id, sourceId, request, prepared };
  const problem = claim(check, open, place);
  if (isFinished) return undefined;
  if (problem !== undefined) {
    refuseAll(check, records, [problem]);
    return undefined;
  }
  return hasOtherName ? { ...open, prepared: { ...prepared, lost: [...prepared.lost, OTHER_NAME] } } : open;
}

/** Finds what the target has of users, and with `--update` what changes of those whom it has. */
async function lookUp(check: Check, candidates: readonly Open[]): Promise<void> {
  const { target, patience, tally, options } = check;
  const taken = await findTaken(target.api, patience, candidates);
  const existing: Existing[] = [];
  for (const each of candidates) {
    const found = taken.get(each);
    const { records } = each.prepared;
    if (found?.kind === "taken") {
      refuseAll(check, records, found.problems);
      continue;
    }
    if (found?.kind === "exists") existing.push({ ...each, userId: found.userId });
    else tally.addReady(each.prepared);
    addMerged(check, records);
  }
  if (options.update) await planAll(check, existing);
  for (const _ of existing) tally.addExisting();
}

interface Existing extends Open {
  readonly userId: string;
}

async function planAll(check: Check, existing: readonly Existing[]): Promise<void> {
  const plans = groupByOrg(existing, AT_ONCE).map(async ([orgId, group]) => {
    const open = new Map(group.map((each) => [each.userId, each]));
    const users = await findUsers(check.target.api, check.patience, orgId, [...open.keys()]);
    await Promise.all(users.map((user) => planOne(check, open.get(user.id), user)));
  });
  await Promise.all(plans);
}

/** Finds what an update of a user will change. */
async function planOne(check: Check, open: Open | undefined, user: User): Promise<void> {
  if (open === undefined) return;
  const { target, patience, options, index, tally, report } = check;
  const { orgId, request, prepared } = open;
  const { api, callerId = "" } = target;
  const sendsMessages = options.messages === "send";
  const plan = await callPatiently(patience, () => planUpdate({ api, callerId, sendsMessages }, user, request, orgId));
  // The update itself says why it is refused.
  if (isFailure(plan)) return;
  const [place] = prepared.records;
  keepPlan(index, place.n, user, plan);
  tally.addPlan(place.sourceId, plan);
  const { changes, kept, others: fields } = plan;
  if (changes.length > 0)
    report.append({ ...place, outcome: "updated", userId: user.id, orgId, changes, kept, fields });
}

type Problems = Extract<Outcome, { outcome: "refused" }>["problems"];

/** The records of a user are refused together, so that they can be imported together. */
function refuseAll(check: Check, records: readonly OutcomePlace[], problems: Problems, lost?: readonly string[]) {
  for (const place of unfinished(check, records)) {
    check.tally.addRefused(problems, `${place.file}:${place.line}`, lost);
    check.report.append({ ...place, outcome: "refused", problems });
  }
}

function addMerged(check: Check, [own, ...others]: Ready["records"]): void {
  for (const place of unfinished(check, others)) {
    check.tally.addMerged(`${place.file}:${place.line} into ${own.file}:${own.line}`);
    check.report.append({ ...place, outcome: "merged", into: own.sourceId });
  }
}

/** A process that was killed between two of them has reported some. */
function unfinished<Each extends OutcomePlace>({ finished }: Check, records: readonly Each[]): readonly Each[] {
  return records.filter(({ n }) => finished.get(n) === undefined).sort(byReport);
}

function describeMissingOrg(sourceOrg = ""): string {
  return `the target has no organization "${sourceOrg}"; choose one with --org, or --org-map "${sourceOrg}=<id or name>"`;
}

/** Claims what must be unique in an organization. The first record with a value keeps it. */
function claim({ input, index, options }: Check, open: Open, place: Place) {
  for (const [field, value] of uniqueValues(open)) {
    const shareable = SHAREABLE.get(field);
    if (shareable !== undefined && options.allowShared.includes(shareable)) continue;
    // It was claimed before.
    if (field === "userName" && open.prepared.addressNameSuffix !== undefined) continue;
    const first = index.claim(`${open.orgId} ${field.replace(/\d+/, "")}`, value, place);
    if (first === undefined) continue;
    const name = input.names[first.file];
    if (name === undefined) throw new ConfigError("a file was removed from the list of files");
    const hint = shareable === undefined ? "" : `; --allow-shared ${shareable} imports both`;
    return { field, description: `is that of an earlier record, at ${name}:${first.line}${hint}` };
  }
  return undefined;
}

const SHAREABLE = new Map<string, Shareable>([
  ["email.email", "email"],
  ["phone.phone", "phone"],
]);

function placeOf({ names }: Input, { file, line }: InputRecord): Place {
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
