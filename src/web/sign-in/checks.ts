import { setTimeout as delay } from "node:timers/promises";
import type { Metrics, SignInMethod, SignInOutcome } from "../../telemetry/metrics.ts";
import type { PageLanguage } from "../../texts/page-language.ts";
import { fillIn } from "../../texts/placeholders.ts";
import { formatDelay } from "../frame/format-time.ts";

interface CheckOutcome {
  readonly kind: "proved" | "failed" | "too-often" | "unavailable";
}

const OUTCOMES: Readonly<Record<CheckOutcome["kind"], SignInOutcome>> = {
  proved: "success",
  failed: "failure",
  "too-often": "throttled",
  unavailable: "error",
};

/** Reports the outcome of a check in a sign-in to the metrics, and returns it. */
export async function reportCheck<Outcome extends CheckOutcome>(
  metrics: Metrics | undefined,
  method: SignInMethod,
  check: Promise<Outcome>,
): Promise<Outcome> {
  try {
    const outcome = await check;
    metrics?.signInChecked(method, OUTCOMES[outcome.kind]);
    return outcome;
  } catch (error) {
    metrics?.signInChecked(method, "error");
    throw error;
  }
}

/** The parts of the response to a check that was rejected because of too many attempts. */
export function tooOften(retrySeconds: number, language: PageLanguage) {
  const text = fillIn(language.texts.signIn.errors.tooOften, { delay: formatDelay(retrySeconds, language) });
  return { status: 429, text, headers: { "retry-after": String(retrySeconds) } } as const;
}

/** The minimum duration, which is longer than one of these steps takes. */
const SHORTEST_MS = 250;

/** Waits for a step whose duration must not reveal what it has found. */
export async function evenly<Result>(step: Promise<Result>): Promise<Result> {
  const [result] = await Promise.all([step, delay(SHORTEST_MS)]);
  return result;
}
