import type { IncomingHttpHeaders } from "node:http";

/** The protocol that a caller speaks. */
export type Form = "grpc" | "grpc-web" | "connect" | "rest";

/** Milliseconds of the units of gRPC's Timeout (grpc/doc/PROTOCOL-HTTP2.md). */
const UNITS: Readonly<Record<string, number>> = { H: 3_600_000, M: 60_000, S: 1_000, m: 1, u: 1e-3, n: 1e-6 };

/** The header in which a caller of each form says how long it waits. */
export const TIMEOUT_HEADERS = {
  grpc: "grpc-timeout",
  "grpc-web": "grpc-timeout",
  connect: "connect-timeout-ms",
  rest: undefined,
} as const satisfies Record<Form, string | undefined>;

/** How many milliseconds the caller waits; undefined where it does not say so, or not as its protocol demands. */
export function readTimeoutMs(form: Form, headers: IncomingHttpHeaders): number | undefined {
  const name = TIMEOUT_HEADERS[form];
  const text = name && headers[name];
  if (typeof text !== "string") return undefined;
  if (form === "connect") return /^\d{1,10}$/.test(text) ? Number(text) : undefined;
  const [, value, unit = ""] = /^(\d{1,8})([HMSmun])$/.exec(text) ?? [];
  return value === undefined ? undefined : Number(value) * (UNITS[unit] ?? 1);
}
