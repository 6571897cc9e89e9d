import { availableParallelism } from "node:os";
import { join, resolve } from "node:path";
import { z } from "zod";
import { boolean, httpOrigin, integer, isDomain, list, masterKey, postgresUrl } from "./config-schemas.ts";

/** The validated configuration, frozen. */
export interface Config {
  readonly host: string;
  readonly port: number;
  /** Origin of links in messages, without a trailing slash. */
  readonly publicUrl: string;
  /** Absolute path of the folder in which the service stores its files. */
  readonly dataDir: string;
  /** URL of PostgreSQL; undefined selects the embedded database. */
  readonly databaseUrl: string | undefined;
  readonly databasePoolSize: number;
  /** The 32-byte key that encrypts; undefined selects the key file in DATA_DIR. */
  readonly masterKey: Buffer | undefined;
  /** Older 32-byte keys, which decrypt only. */
  readonly previousMasterKeys: readonly Buffer[];
  readonly adminTokenFile: string;
  readonly tls: { readonly certFile: string; readonly keyFile: string } | undefined;
  /** Origins whose pages may call the service; `*` means any. */
  readonly corsOrigins: readonly string[];
  readonly trustedProxies: readonly string[];
  /** Connections in total, and of one address. */
  readonly maxConnections: number;
  readonly maxConnectionsPerAddress: number;
  /** Requests per second of one address that carry no valid token. */
  readonly maxAnonymousRequests: number;
  readonly maxBodyBytes: number;
  readonly requestTimeoutMs: number;
  /** The scheme of new password hashes. */
  readonly passwordHash: (typeof PASSWORD_HASHES)[number];
  readonly bcryptCost: number;
  readonly hashThreads: number;
  readonly logLevel: (typeof LOG_LEVELS)[number];
  readonly smtpUrl: string | undefined;
  readonly emailFrom: string | undefined;
  readonly sms: SmsProvider | undefined;
  /** For how many days ended messages, codes and tokens are kept; 0 for ever. */
  readonly retentionDays: number;
  /** Whether identity providers of organizations may be at addresses that are not public. */
  readonly idpAllowPrivateNetworks: boolean;
  /** Relying party id for passkeys (WebAuthn): a domain. */
  readonly webauthnRpId: string;
  /** Whether people who sign in with a password are asked once to add a passkey. */
  readonly passkeyOffer: (typeof PASSKEY_OFFERS)[number];
}

export type SmsProvider =
  | {
      readonly kind: "twilio";
      readonly accountSid: string;
      readonly authToken: string;
      readonly from: string;
      readonly baseUrl: string;
    }
  | { readonly kind: "webhook"; readonly url: string; readonly secret: string }
  | { readonly kind: "file" };

/** An error that the operator can fix. The message is one line and contains no secret. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

const LOG_LEVELS = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;

const PASSKEY_OFFERS = ["once", "never"] as const;

const PASSWORD_HASHES = ["bcrypt", "argon2id"] as const;

interface Variable<T> {
  readonly schema: z.ZodType<T, string>;
  /** The allowed values, as an error message describes them. */
  readonly expected: string;
  /** Whether error messages must not contain the value. */
  readonly secret?: true;
}

const VARIABLES = {
  HOST: variable(z.string().regex(/^[A-Za-z0-9.:_-]+$/), "a host name or an IP address"),
  PORT: variable(integer(0, 65_535), "an integer from 0 to 65535"),
  PUBLIC_URL: variable(httpOrigin(), "an http or https URL without a path, such as https://id.example.com"),
  DATA_DIR: variable(z.string(), "the path of a folder"),
  DATABASE_URL: variable(postgresUrl(), "a URL that starts with postgres:// or postgresql://", "secret"),
  DATABASE_POOL_SIZE: variable(integer(1, 1_000), "an integer from 1 to 1000"),
  MASTER_KEY: variable(masterKey(), "32 bytes in base64, such as the output of `openssl rand -base64 32`", "secret"),
  MASTER_KEY_PREVIOUS: variable(list(masterKey()), "a comma-separated list of 32-byte keys in base64", "secret"),
  ADMIN_TOKEN_FILE: variable(z.string(), "the path of a file"),
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
  PASSWORD_HASH: variable(
    z.enum(PASSWORD_HASHES) as z.ZodType<(typeof PASSWORD_HASHES)[number], string>,
    `one of ${PASSWORD_HASHES.join(", ")}`,
  ),
  BCRYPT_COST: variable(integer(4, 16), "an integer from 4 to 16"),
  HASH_THREADS: variable(integer(1, 256), "an integer from 1 to 256"),
  LOG_LEVEL: variable(
    z.enum(LOG_LEVELS) as z.ZodType<(typeof LOG_LEVELS)[number], string>,
    `one of ${LOG_LEVELS.join(", ")}`,
  ),
  SMTP_URL: variable(z.url({ protocol: /^smtps?$/ }), "a URL that starts with smtp:// or smtps://", "secret"),
  EMAIL_FROM: variable(z.string().regex(/^[^\r\n]*@[^\r\n]+$/), 'an address such as "Signet <no-reply@example.com>"'),
  SMS_PROVIDER: variable(
    z.enum(["twilio", "webhook", "file"]) as z.ZodType<SmsProvider["kind"], string>,
    "one of twilio, webhook, file",
  ),
  TWILIO_ACCOUNT_SID: variable(z.string(), "the account's SID"),
  TWILIO_AUTH_TOKEN: variable(z.string(), "the account's auth token", "secret"),
  TWILIO_FROM: variable(z.string(), "a phone number or a sender id"),
  TWILIO_BASE_URL: variable(z.url({ protocol: /^https?$/ }), "an http or https URL"),
  SMS_WEBHOOK_URL: variable(z.url({ protocol: /^https?$/ }), "an http or https URL", "secret"),
  SMS_WEBHOOK_SECRET: variable(z.string(), "the key of the webhook's signatures", "secret"),
  RETENTION_DAYS: variable(integer(0, 36_500), "an integer from 0 to 36500"),
  IDP_ALLOW_PRIVATE_NETWORKS: variable(boolean(), "true or false"),
  WEBAUTHN_RP_ID: variable(z.string().refine(isDomain), "a lowercase domain, such as example.com"),
  PASSKEY_OFFER: variable(
    z.enum(PASSKEY_OFFERS) as z.ZodType<(typeof PASSKEY_OFFERS)[number], string>,
    `one of ${PASSKEY_OFFERS.join(", ")}`,
  ),
};

type Name = keyof typeof VARIABLES;
type Values = { [N in Name]?: (typeof VARIABLES)[N] extends Variable<infer T> ? T : never };

/**
 * Reads the configuration from environment variables.
 *
 * @throws ConfigError for the first invalid, missing or conflicting value.
 */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const values = readValues(environment);
  const port = values.PORT ?? 8080;
  const tls = readTlsFiles(values);
  if (values.DATABASE_URL !== undefined) {
    requireValue(values, "PUBLIC_URL", "DATABASE_URL");
    requireValue(values, "MASTER_KEY", "DATABASE_URL");
  }
  if (values.SMTP_URL !== undefined) requireValue(values, "EMAIL_FROM", "SMTP_URL");
  const publicUrl = values.PUBLIC_URL ?? `${tls ? "https" : "http"}://localhost:${port}`;
  const dataDir = resolve(values.DATA_DIR ?? "data");
  return Object.freeze({
    host: values.HOST ?? "127.0.0.1",
    port,
    publicUrl,
    dataDir,
    databaseUrl: values.DATABASE_URL,
    databasePoolSize: values.DATABASE_POOL_SIZE ?? 16,
    masterKey: values.MASTER_KEY,
    previousMasterKeys: values.MASTER_KEY_PREVIOUS ?? [],
    adminTokenFile: resolve(values.ADMIN_TOKEN_FILE ?? join(dataDir, "admin.token")),
    tls,
    corsOrigins: values.CORS_ORIGINS ?? [],
    trustedProxies: values.TRUSTED_PROXIES ?? [],
    maxConnections: values.MAX_CONNECTIONS ?? 10_000,
    maxConnectionsPerAddress: values.MAX_CONNECTIONS_PER_ADDRESS ?? 512,
    maxAnonymousRequests: values.MAX_ANONYMOUS_REQUESTS ?? 500,
    maxBodyBytes: values.MAX_BODY_BYTES ?? 1_048_576,
    requestTimeoutMs: values.REQUEST_TIMEOUT_MS ?? 15_000,
    passwordHash: values.PASSWORD_HASH ?? "bcrypt",
    bcryptCost: values.BCRYPT_COST ?? 12,
    hashThreads: values.HASH_THREADS ?? availableParallelism(),
    logLevel: values.LOG_LEVEL ?? "info",
    smtpUrl: values.SMTP_URL,
    emailFrom: values.EMAIL_FROM,
    sms: readSmsProvider(values),
    retentionDays: values.RETENTION_DAYS ?? 30,
    idpAllowPrivateNetworks: values.IDP_ALLOW_PRIVATE_NETWORKS ?? false,
    webauthnRpId: readRelyingPartyId(values.WEBAUTHN_RP_ID, publicUrl),
    passkeyOffer: values.PASSKEY_OFFER ?? "once",
  });
}

function readValues(environment: Readonly<Record<string, string | undefined>>): Values {
  const values: Record<string, unknown> = {};
  for (const [name, { schema, expected, secret }] of Object.entries(VARIABLES) as [Name, Variable<unknown>][]) {
    // An empty variable counts as not set, because shells and compose files omit a variable that way.
    const text = environment[name]?.trim();
    if (!text) continue;
    const parsed = schema.safeParse(text);
    if (!parsed.success) {
      throw new ConfigError(`${name} is invalid: expected ${expected}${secret ? "" : `, got ${JSON.stringify(text)}`}`);
    }
    values[name] = parsed.data;
  }
  return values as Values;
}

function readSmsProvider(values: Values): SmsProvider | undefined {
  const kind = values.SMS_PROVIDER;
  switch (kind) {
    case undefined:
      return undefined;
    case "file":
      return { kind };
    case "webhook":
      return {
        kind,
        url: requireValue(values, "SMS_WEBHOOK_URL", "SMS_PROVIDER=webhook"),
        secret: requireValue(values, "SMS_WEBHOOK_SECRET", "SMS_PROVIDER=webhook"),
      };
    case "twilio":
      return {
        kind,
        accountSid: requireValue(values, "TWILIO_ACCOUNT_SID", "SMS_PROVIDER=twilio"),
        authToken: requireValue(values, "TWILIO_AUTH_TOKEN", "SMS_PROVIDER=twilio"),
        from: requireValue(values, "TWILIO_FROM", "SMS_PROVIDER=twilio"),
        baseUrl: values.TWILIO_BASE_URL ?? "https://api.twilio.com",
      };
    default:
      return kind satisfies never;
  }
}

/** The id must be the page's host or a parent domain of it (WebAuthn, section 5.1.3). */
function readRelyingPartyId(given: string | undefined, publicUrl: string): string {
  const host = new URL(publicUrl).hostname;
  if (given === undefined) {
    if (isDomain(host)) return host;
    throw new ConfigError(
      `PUBLIC_URL is invalid: expected a domain or localhost as its host, because passkeys require one, got "${publicUrl}"`,
    );
  }
  if (host === given || host.endsWith(`.${given}`)) return given;
  throw new ConfigError(
    `WEBAUTHN_RP_ID is invalid: expected the host of PUBLIC_URL (${host}) or a parent domain of it, got "${given}"`,
  );
}

function readTlsFiles(values: Values): Config["tls"] {
  if (values.TLS_CERT_FILE === undefined && values.TLS_KEY_FILE === undefined) return undefined;
  return {
    certFile: resolve(requireValue(values, "TLS_CERT_FILE", "TLS_KEY_FILE")),
    keyFile: resolve(requireValue(values, "TLS_KEY_FILE", "TLS_CERT_FILE")),
  };
}

/** @param requiredBy The setting that needs this one. */
function requireValue<N extends Name>(values: Values, name: N, requiredBy: string): NonNullable<Values[N]> {
  const value = values[name];
  if (value === undefined || value === null) {
    throw new ConfigError(`${name} is not set: ${requiredBy} requires it; expected ${VARIABLES[name].expected}`);
  }
  return value;
}

function variable<T>(schema: z.ZodType<T, string>, expected: string, secret?: "secret"): Variable<T> {
  return secret ? { schema, expected, secret: true } : { schema, expected };
}
