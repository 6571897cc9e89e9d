import type { Duration } from "@bufbuild/protobuf/wkt";
import { namesOf } from "../state/tables.ts";

/** The seconds of each unit, the longest first. */
const SECONDS = { days: 86_400n, hours: 3_600n, minutes: 60n, seconds: 1n } as const;

export type LifetimeUnit = keyof typeof SECONDS;

export const LIFETIME_UNITS = namesOf(SECONDS);

/** A duration as a form shows it. */
export interface Lifetime {
  /** A whole number, as it is typed; empty for the default. */
  readonly amount: string;
  readonly unit: LifetimeUnit;
}

const DEFAULT: Lifetime = { amount: "", unit: "hours" };

/** The duration in the longest unit of which it is a multiple. */
export function toLifetime(duration: Duration | undefined): Lifetime {
  if (duration === undefined) return DEFAULT;
  const { seconds } = duration;
  const unit = LIFETIME_UNITS.find((each) => seconds !== 0n && seconds % SECONDS[each] === 0n) ?? "seconds";
  return { amount: String(seconds / SECONDS[unit]), unit };
}

/** The member of a request: absent for the default. */
export function toDuration({ amount, unit }: Lifetime): { readonly seconds: bigint } | undefined {
  const number = Number(amount);
  // The browser does not submit a form with another number.
  if (amount === "" || !Number.isSafeInteger(number)) return undefined;
  return { seconds: BigInt(number) * SECONDS[unit] };
}
