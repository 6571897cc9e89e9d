import { z } from "zod";
import { type Values, variable } from "./variables.ts";

const LOG_LEVELS = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;

/** How the process runs. */
export interface OperationConfig {
  readonly logLevel: (typeof LOG_LEVELS)[number];
}

export const OPERATION_VARIABLES = {
  LOG_LEVEL: variable(
    z.enum(LOG_LEVELS) as z.ZodType<(typeof LOG_LEVELS)[number], string>,
    `one of ${LOG_LEVELS.join(", ")}`,
  ),
};

export function readOperation(values: Values<typeof OPERATION_VARIABLES>): OperationConfig {
  return { logLevel: values.LOG_LEVEL ?? "info" };
}
