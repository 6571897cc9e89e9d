import { resolve } from "node:path";
import { z } from "zod";
import { httpOrigin, integer, list } from "./schemas.ts";
import { requireValue, type Values, variable } from "./variables.ts";

export const SERVER_VARIABLES = {
  HOST: variable(z.string().regex(/^[A-Za-z0-9.:_-]+$/), "a host name or an IP address"),
  PORT: variable(integer(0, 65_535), "an integer from 0 to 65535"),
  PUBLIC_URL: variable(httpOrigin(), "an http or https URL without a path, such as https://id.example.com"),
  TLS_CERT_FILE: variable(z.string(), "the path of a PEM file"),
  TLS_KEY_FILE: variable(z.string(), "the path of a PEM file"),
  CORS_ORIGINS: variable(
    list(z.union([z.literal("*"), httpOrigin()])),
    "* or a comma-separated list of origins such as https://app.example.com",
  ),
  TRUSTED_PROXIES: variable(
    list(z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()])),
    "a comma-separated list of IP addresses or ranges such as 10.0.0.0/8",
  ),
  MAX_CONNECTIONS: variable(integer(1, 1_000_000), "an integer from 1 to 1000000"),
  MAX_CONNECTIONS_PER_ADDRESS: variable(integer(1, 1_000_000), "an integer from 1 to 1000000"),
  MAX_ANONYMOUS_REQUESTS: variable(integer(1, 1_000_000), "an integer from 1 to 1000000"),
  MAX_BODY_BYTES: variable(integer(1_024, 1_073_741_824), "an integer from 1024 to 1073741824"),
  REQUEST_TIMEOUT_MS: variable(integer(1, 3_600_000), "an integer from 1 to 3600000"),
};

type ServerValues = Values<typeof SERVER_VARIABLES>;

/** The port, and its limits for callers. */
export type ServerConfig = Readonly<ReturnType<typeof readServer>>;

export function readServer(values: ServerValues) {
  const port = values.PORT ?? 8080;
  const tls = readTlsFiles(values);
  return {
    host: values.HOST ?? "127.0.0.1",
    port,
    /** Origin of links in messages, without a trailing slash. */
    publicUrl: values.PUBLIC_URL ?? `${tls ? "https" : "http"}://localhost:${port}`,
    tls,
    /** Origins whose pages may call the service; `*` means any. */
    corsOrigins: values.CORS_ORIGINS ?? [],
    trustedProxies: values.TRUSTED_PROXIES ?? [],
    /** Connections in total, and per address. */
    maxConnections: values.MAX_CONNECTIONS ?? 10_000,
    maxConnectionsPerAddress: values.MAX_CONNECTIONS_PER_ADDRESS ?? 512,
    /** Requests per second per address without a valid token. */
    maxAnonymousRequests: values.MAX_ANONYMOUS_REQUESTS ?? 500,
    maxBodyBytes: values.MAX_BODY_BYTES ?? 1_048_576,
    requestTimeoutMs: values.REQUEST_TIMEOUT_MS ?? 15_000,
  };
}

function readTlsFiles(values: ServerValues) {
  if (values.TLS_CERT_FILE === undefined && values.TLS_KEY_FILE === undefined) return undefined;
  return {
    certFile: resolve(requireValue(SERVER_VARIABLES, values, "TLS_CERT_FILE", "TLS_KEY_FILE")),
    keyFile: resolve(requireValue(SERVER_VARIABLES, values, "TLS_KEY_FILE", "TLS_CERT_FILE")),
  };
}
