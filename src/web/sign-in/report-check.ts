import type { Metrics, SignInMethod, SignInOutcome } from "../../telemetry/metrics.ts";

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
