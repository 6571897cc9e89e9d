import { z } from "zod";
import { integer } from "./schemas.ts";
import { type Values, variable } from "./variables.ts";

const LOG_LEVELS = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;

/** How the process runs. */
export interface OperationConfig {
  readonly logLevel: (typeof LOG_LEVELS)[number];
  /** How long the port stays open after a request to stop, while the service is not ready. */
  readonly shutdownDelayMs: number;
}

export const OPERATION_VARIABLES = {
  LOG_LEVEL: variable(
    z.enum(LOG_LEVELS) as z.ZodType<(typeof LOG_LEVELS)[number], string>,
    `one of ${LOG_LEVELS.join(", ")}`,
  ),
  SHUTDOWN_DELAY_MS: variable(integer(0, 3_600_000), "an integer from 0 to 3600000"),
};

export function readOperation(values: Values<typeof OPERATION_VARIABLES>): OperationConfig {
  return { logLevel: values.LOG_LEVEL ?? "info", shutdownDelayMs: values.SHUTDOWN_DELAY_MS ?? 0 };
}
