import type { IncomingHttpHeaders } from "node:http";

/** The protocol of a caller. */
export type ProtocolName = "grpc" | "grpc-web" | "connect" | "rest";

/** The units of gRPC's Timeout in milliseconds (grpc/doc/PROTOCOL-HTTP2.md). */
const UNITS: Readonly<Record<string, number>> = { H: 3_600_000, M: 60_000, S: 1_000, m: 1, u: 1e-3, n: 1e-6 };

/** The header with the caller's timeout in each protocol. */
export const TIMEOUT_HEADERS = {
  grpc: "grpc-timeout",
  "grpc-web": "grpc-timeout",
  connect: "connect-timeout-ms",
  rest: undefined,
} as const satisfies Record<ProtocolName, string | undefined>;

/** Returns the caller's timeout in milliseconds; undefined if the header is absent or malformed. */
export function readTimeoutMs(protocol: ProtocolName, headers: IncomingHttpHeaders): number | undefined {
  const name = TIMEOUT_HEADERS[protocol];
  const text = name && headers[name];
  if (typeof text !== "string") return undefined;
  if (protocol === "connect") return /^\d{1,10}$/.test(text) ? Number(text) : undefined;
  const [, value, unit = ""] = /^(\d{1,8})([HMSmun])$/.exec(text) ?? [];
  return value === undefined ? undefined : Number(value) * (UNITS[unit] ?? 1);
}
