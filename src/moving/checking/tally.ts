import {
  type ImportHumanUserRequest,
  ImportHumanUserRequest_Message,
  ImportHumanUserRequest_State,
} from "../../../gen/signet/v1/management_pb.js";
import type { Violation } from "../../errors.ts";
import { isNoAddress } from "../../fields/no-address.ts";
import type { Prepared } from "../converting/prepare-record.ts";
import type { UpdatePlan } from "../running/plan-update.ts";
import { describeValue } from "../running/value-text.ts";
import { createCountBy, type Tallied } from "./count-by.ts";

/** What a check has found, as it is printed and as `--json` gives it. */
export interface Findings {
  readonly records: number;
  /** Users to import. */
  readonly ready: number;
  /** Users that the target has already, by the id in the source. */
  readonly existing: number;
  /** Of them, those whom an update changes. */
  readonly toUpdate: number;
  /** Records that become part of the user of another one. */
  readonly merged: number;
  readonly refused: number;
  readonly skipped: number;
  /** Records with an outcome of an earlier process. */
  readonly finished: number;
  /** Users with each field, which they will have in the target. */
  readonly fields: Readonly<Record<string, number>>;
  readonly lost: readonly Tallied[];
  readonly refusals: readonly Tallied[];
  readonly skips: readonly Tallied[];
  readonly merges: readonly Tallied[];
  /** What an update changes, by field. */
  readonly changes: readonly Tallied[];
  /** Fields that differ, and that an update does not change. */
  readonly differences: readonly Tallied[];
  /** Users with a name that a rule of `--names` has made. */
  readonly madeNames: readonly Tallied[];
  readonly emails: Messages;
  readonly sms: Messages;
  /** Users to whom other records of the export belong. */
  readonly matched: number;
}

/** Messages that the import would send. */
export interface Messages {
  readonly count: number;
  /** Each with examples of recipients. */
  readonly reasons: readonly Tallied[];
}

export type Tally = ReturnType<typeof createTally>;

/** Of each reason. */
const EXAMPLES = 3;

export function createTally() {
  const counts = { ready: 0, existing: 0, toUpdate: 0, merged: 0, refused: 0, skipped: 0, finished: 0, matched: 0 };
  const fields: Record<string, number> = {};
  const [lost, lostOfRefused] = [createCountBy(), createCountBy()];
  const [refusals, skips, madeNames] = [createCountBy(EXAMPLES), createCountBy(EXAMPLES), createCountBy(EXAMPLES)];
  const [merges, changes, differences] = [createCountBy(EXAMPLES), createCountBy(EXAMPLES), createCountBy(EXAMPLES)];
  const [emails, sms] = [createCountBy(EXAMPLES), createCountBy(EXAMPLES)];
  return {
    addReady({ request, lost: lostValues, nameRule, isMatched }: Extract<Prepared, { kind: "ready" }>): void {
      counts.ready += 1;
      if (isMatched) counts.matched += 1;
      for (const [field, hasField] of FIELDS) if (hasField(request)) fields[field] = (fields[field] ?? 0) + 1;
      for (const each of new Set(lostValues)) lost.add(each);
      const address = request.email?.email ?? "";
      if (nameRule !== undefined) madeNames.add(nameRule, `${request.profile?.firstName} ${request.profile?.lastName}`);
      const getsMessages = request.message === ImportHumanUserRequest_Message.UNSPECIFIED;
      if (request.state === ImportHumanUserRequest_State.INACTIVE || !getsMessages) return;
      const reason = whyEmail(request);
      if (reason !== undefined) emails.add(reason, address);
      if (request.phone !== undefined && !request.phone.isPhoneVerified) {
        sms.add("the number is not verified", request.phone.phone ?? "");
      }
    },
    addExisting(): void {
      counts.existing += 1;
    },
    /** @param lostValues What the export has and the import does not read, if the record was converted. */
    addRefused(problems: readonly Violation[], place: string, lostValues: readonly string[] = []): void {
      counts.refused += 1;
      for (const each of new Set(lostValues)) lostOfRefused.add(each);
      for (const { field, description } of problems)
        refusals.add(field ? `${field}: ${description}` : description, place);
    },
    addPlan(sourceId: string, plan: UpdatePlan): void {
      if (plan.changes.length > 0) counts.toUpdate += 1;
      for (const { field, from, to } of plan.changes)
        changes.add(field, `${sourceId}: ${describeValue(field, from)} to ${describeValue(field, to)}`);
      for (const field of plan.kept) differences.add(`${field} (changed since the import)`, sourceId);
      for (const field of plan.others) differences.add(field, sourceId);
    },
    addMerged(places: string): void {
      counts.merged += 1;
      merges.add("a record with the same verified address", places);
    },
    addSkipped(reason: string, place: string): void {
      counts.skipped += 1;
      skips.add(reason, place);
    },
    addFinished(): void {
      counts.finished += 1;
    },
    findings: (): Findings => ({
      records: counts.ready + counts.existing + counts.merged + counts.refused + counts.skipped + counts.finished,
      ...counts,
      fields,
      // If all are refused, columns that are not read are often why.
      lost: (counts.ready === 0 ? lostOfRefused : lost).list(),
      refusals: refusals.list(),
      skips: skips.list(),
      merges: merges.list(),
      changes: changes.list(),
      differences: differences.list(),
      madeNames: madeNames.list(),
      emails: { count: emails.total, reasons: emails.list() },
      sms: { count: sms.total, reasons: sms.list() },
    }),
  };
}

/** The fields of a request, by names that people understand. */
const FIELDS: readonly (readonly [string, (request: ImportHumanUserRequest) => boolean])[] = [
  ["email address", ({ email }) => email !== undefined && !isNoAddress(email.email)],
  ["verified email address", ({ email }) => email?.isEmailVerified === true],
  ["phone number", ({ phone }) => phone !== undefined],
  ["verified phone number", ({ phone }) => phone?.isPhoneVerified === true],
  ["password", ({ hashedPassword }) => hashedPassword !== undefined],
  ["one-time codes", ({ otpCode }) => otpCode !== ""],
  ["id that applications have seen", ({ subject }) => subject !== ""],
  ["recovery codes", ({ recoveryCodes }) => recoveryCodes.length > 0],
  ["passkeys", ({ passkeys }) => passkeys.length > 0],
  ["links to providers", ({ idps }) => idps.length > 0],
  // The id in the source is one.
  ["metadata", ({ metadata }) => metadata.length > 1],
  ["nickname", ({ profile }) => profile?.nickName !== ""],
  ["language", ({ profile }) => profile?.preferredLanguage !== ""],
  ["gender", ({ profile }) => profile?.gender !== 0],
  ["password to be changed", ({ passwordChangeRequired }) => passwordChangeRequired],
  ["second factor to be set up", ({ secondFactorRequired }) => secondFactorRequired],
  ["deactivated", ({ state }) => state === ImportHumanUserRequest_State.INACTIVE],
];

/** The email contains a link that verifies the address, and sets a password. */
function whyEmail({ email, hashedPassword }: ImportHumanUserRequest): string | undefined {
  const isVerified = email?.isEmailVerified === true;
  if (isNoAddress(email?.email ?? "")) return undefined;
  if (isVerified && hashedPassword !== undefined) return undefined;
  if (isVerified) return "there is no password";
  return hashedPassword === undefined
    ? "the address is not verified, and there is no password"
    : "the address is not verified";
}
