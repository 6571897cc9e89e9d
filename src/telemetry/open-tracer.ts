import type { Config } from "../config.ts";
import type { TracerOptions } from "./create-tracer.ts";
import type { Tracer } from "./span.ts";

/**
 * Starts tracing if it is configured. Otherwise, resolves to undefined without loading any OpenTelemetry module.
 *
 * @throws ConfigError for a certificate that cannot be read.
 */
export async function openTracer({ traces }: Config, options: TracerOptions): Promise<Tracer | undefined> {
  if (traces === undefined) return undefined;
  const { createTracer } = await import("./create-tracer.ts");
  return createTracer(traces, options);
}
