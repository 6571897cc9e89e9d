import { integer } from "./schemas.ts";
import { choice, type Values, variable } from "./variables.ts";

export const OPERATION_VARIABLES = {
  LOG_LEVEL: choice("trace", "debug", "info", "warn", "error", "fatal", "silent"),
  SHUTDOWN_DELAY_MS: variable(integer(0, 3_600_000), "an integer from 0 to 3600000"),
};

/** How the process runs. */
export type OperationConfig = Readonly<ReturnType<typeof readOperation>>;

export function readOperation(values: Values<typeof OPERATION_VARIABLES>) {
  return {
    logLevel: values.LOG_LEVEL ?? "info",
    /** How long the port stays open after a request to stop, while the service is not ready. */
    shutdownDelayMs: values.SHUTDOWN_DELAY_MS ?? 0,
  };
}
