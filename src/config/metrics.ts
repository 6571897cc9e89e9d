import { z } from "zod";
import { ConfigError } from "./config-error.ts";
import { integer } from "./schemas.ts";
import { requireValue, type Values, variable } from "./variables.ts";

/** The endpoint for Prometheus. */
export interface MetricsConfig {
  /** Undefined while metrics are off. */
  readonly metrics: { readonly host: string; readonly port: number } | undefined;
}

export const METRICS_VARIABLES = {
  METRICS_HOST: variable(z.string().regex(/^[A-Za-z0-9.:_-]+$/), "a host name or an IP address"),
  METRICS_PORT: variable(integer(0, 65_535), "an integer from 0 to 65535"),
};

/**
 * @param service The service, whose address is the default for the endpoint.
 * @throws ConfigError if the port is the service's own port.
 */
export function readMetrics(
  values: Values<typeof METRICS_VARIABLES>,
  service: { readonly host: string; readonly port: number },
): MetricsConfig {
  if (values.METRICS_PORT === undefined) {
    if (values.METRICS_HOST !== undefined) requireValue(METRICS_VARIABLES, values, "METRICS_PORT", "METRICS_HOST");
    return { metrics: undefined };
  }
  const { METRICS_HOST: host = service.host, METRICS_PORT: port } = values;
  if (port !== 0 && port === service.port) {
    throw new ConfigError(`METRICS_PORT is invalid: expected another port than PORT, got "${port}"`);
  }
  return { metrics: { host, port } };
}
