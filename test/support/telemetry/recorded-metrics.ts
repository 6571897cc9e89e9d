import type { Metrics } from "../../../src/telemetry/metrics.ts";

/** Records reports in order: the names of budgets, the method and outcome of checks in sign-ins, and the outcomes of logouts. */
export interface RecordedMetrics extends Metrics {
  readonly exceeded: string[];
  readonly checks: (readonly [string, string])[];
  readonly logouts: string[];
}

export function createRecordedMetrics(): RecordedMetrics {
  const exceeded: string[] = [];
  const checks: (readonly [string, string])[] = [];
  const logouts: string[] = [];
  return {
    exceeded,
    checks,
    logouts,
    callEnded() {},
    pageEnded() {},
    signInChecked: (method, outcome) => void checks.push([method, outcome]),
    signInFinished() {},
    appNotified: (outcome) => void logouts.push(outcome),
    commandsWritten() {},
    hashEnded() {},
    budgetExceeded: (budget) => void exceeded.push(budget),
  };
}
