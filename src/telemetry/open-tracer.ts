import type { Config } from "../config.ts";
import type { TracerOptions } from "./create-tracer.ts";
import type { Tracer } from "./span.ts";

/**
 * Starts to trace if the configuration asks for it. Otherwise it resolves to undefined, and no module of OpenTelemetry
 * is loaded.
 *
 * @throws ConfigError for a certificate that cannot be read.
 */
export async function openTracer({ traces }: Config, options: TracerOptions): Promise<Tracer | undefined> {
  if (traces === undefined) return undefined;
  const { createTracer } = await import("./create-tracer.ts");
  return createTracer(traces, options);
}
