import { timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";
import { type CountFailedSignInsRequest, FailedSignInKind } from "../../../gen/signet/v1/failed_sign_in_pb.js";
import type { AttemptKind } from "../../sign-in/attempt-limit.ts";
import type { FailedSignInCounts, FailedSignInSearch } from "../../sign-in/count-failed-sign-ins.ts";

/** The fields for `countFailedSignIns`. */
export function toFailedSignInSearch({ userId, since, until }: CountFailedSignInsRequest): FailedSignInSearch {
  return { userId: userId || undefined, since: since && timestampDate(since), until: until && timestampDate(until) };
}

/** Converts the counts of failed sign-ins. */
export function toFailedSignIns({ hours, sources }: FailedSignInCounts) {
  return {
    total: hours.reduce((total, { count }) => total + count, 0n),
    hours: hours.map(({ hour, count }) => ({ start: timestampFromDate(hour), count })),
    sources: sources.map(({ network, browser, kind, count, last_hour }) => ({
      network,
      browser,
      kind: KINDS[kind],
      count,
      lastHour: timestampFromDate(last_hour),
    })),
  };
}

const KINDS: Readonly<Record<AttemptKind, FailedSignInKind>> = {
  password: FailedSignInKind.PASSWORD,
  "one-time-code": FailedSignInKind.ONE_TIME_CODE,
  passkey: FailedSignInKind.PASSKEY,
};
