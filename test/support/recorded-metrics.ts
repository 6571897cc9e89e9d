import type { Metrics } from "../../src/telemetry/metrics.ts";

/** Records reports in order: the names of budgets, and the method and outcome of checks in sign-ins. */
export interface RecordedMetrics extends Metrics {
  readonly exceeded: string[];
  readonly checks: (readonly [string, string])[];
}

export function createRecordedMetrics(): RecordedMetrics {
  const exceeded: string[] = [];
  const checks: (readonly [string, string])[] = [];
  return {
    exceeded,
    checks,
    callEnded() {},
    pageEnded() {},
    signInChecked: (method, outcome) => void checks.push([method, outcome]),
    signInFinished() {},
    commandsWritten() {},
    hashEnded() {},
    budgetExceeded: (budget) => void exceeded.push(budget),
  };
}
