import { isIP } from "node:net";
import { availableParallelism } from "node:os";
import { join, resolve } from "node:path";
import { z } from "zod";

/** What the environment says, validated, typed and frozen. */
export interface Config {
  readonly host: string;
  readonly port: number;
  /** Origin that links point to, without a trailing slash. */
  readonly publicUrl: string;
  /** Absolute path of the folder for what the service keeps in files. */
  readonly dataDir: string;
  /** PostgreSQL to use; the embedded one without it. */
  readonly databaseUrl: string | undefined;
  readonly databasePoolSize: number;
  /** 32 bytes each: the key to encrypt with; undefined means the one in DATA_DIR. */
  readonly masterKey: Buffer | undefined;
  readonly previousMasterKeys: readonly Buffer[];
  readonly adminTokenFile: string;
  readonly tls: { readonly certFile: string; readonly keyFile: string } | undefined;
  /** Origins that browsers may call from; `*` means any. */
  readonly corsOrigins: readonly string[];
  readonly trustedProxies: readonly string[];
  readonly maxBodyBytes: number;
  readonly requestTimeoutMs: number;
  readonly bcryptCost: number;
  readonly hashThreads: number;
  readonly logLevel: (typeof LOG_LEVELS)[number];
  readonly smtpUrl: string | undefined;
  readonly emailFrom: string | undefined;
  readonly sms: SmsProvider | undefined;
  /** Relying party id for passkeys (WebAuthn): a domain. */
  readonly webauthnRpId: string;
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

/** A value that the service cannot start with. The message is one line and shows no secret. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

const LOG_LEVELS = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;

/** A variable: how it is read, what is allowed in words, and whether its value may be shown. */
interface Variable<T> {
  readonly schema: z.ZodType<T, string>;
  readonly allowed: string;
  readonly secret?: true;
}

const VARIABLES = {
  HOST: variable(z.string().regex(/^[A-Za-z0-9.:_-]+$/), "a host name or an IP address"),
  PORT: variable(integer(0, 65_535), "a number from 0 to 65535"),
  PUBLIC_URL: variable(httpOrigin(), "an http or https URL without path, such as https://id.example.com"),
  DATA_DIR: variable(z.string(), "the path of a folder"),
  DATABASE_URL: variable(postgresUrl(), "a URL that begins with postgres:// or postgresql://", "secret"),
  DATABASE_POOL_SIZE: variable(integer(1, 1_000), "a number from 1 to 1000"),
  MASTER_KEY: variable(masterKey(), "32 bytes in base64", "secret"),
  MASTER_KEY_PREVIOUS: variable(list(masterKey()), "a comma-separated list of keys of 32 bytes in base64", "secret"),
  ADMIN_TOKEN_FILE: variable(z.string(), "the path of a file"),
  TLS_CERT_FILE: variable(z.string(), "the path of a PEM file"),
  TLS_KEY_FILE: variable(z.string(), "the path of a PEM file"),
  CORS_ORIGINS: variable(
    list(z.union([z.literal("*"), httpOrigin()])),
    "* or a comma-separated list of origins such as https://app.example.com",
  ),
  TRUSTED_PROXIES: variable(
    list(z.string().refine(isAddressRange)),
    "a comma-separated list of IP addresses or ranges such as 10.0.0.0/8",
  ),
  MAX_BODY_BYTES: variable(integer(1_024, 1_073_741_824), "a number from 1024 to 1073741824"),
  REQUEST_TIMEOUT_MS: variable(integer(1, 3_600_000), "a number from 1 to 3600000"),
  BCRYPT_COST: variable(integer(4, 16), "a number from 4 to 16"),
  HASH_THREADS: variable(integer(1, 256), "a number from 1 to 256"),
  LOG_LEVEL: variable(
    z.enum(LOG_LEVELS) as z.ZodType<(typeof LOG_LEVELS)[number], string>,
    `one of ${LOG_LEVELS.join(", ")}`,
  ),
  SMTP_URL: variable(url(["smtp:", "smtps:"]), "a URL that begins with smtp:// or smtps://", "secret"),
  EMAIL_FROM: variable(z.string().regex(/^[^\r\n]*@[^\r\n]+$/), 'an address such as "Signet <no-reply@example.com>"'),
  SMS_PROVIDER: variable(
    z.enum(["twilio", "webhook", "file"]) as z.ZodType<SmsProvider["kind"], string>,
    "one of twilio, webhook, file",
  ),
  TWILIO_ACCOUNT_SID: variable(z.string(), "the account's SID"),
  TWILIO_AUTH_TOKEN: variable(z.string(), "the account's token", "secret"),
  TWILIO_FROM: variable(z.string(), "a phone number or a sender id"),
  TWILIO_BASE_URL: variable(url(["http:", "https:"]), "an http or https URL"),
  SMS_WEBHOOK_URL: variable(url(["http:", "https:"]), "an http or https URL", "secret"),
  SMS_WEBHOOK_SECRET: variable(z.string(), "any text", "secret"),
  WEBAUTHN_RP_ID: variable(z.string().refine(isDomain), "a domain, not an address"),
};

type Name = keyof typeof VARIABLES;
type Values = { [N in Name]?: (typeof VARIABLES)[N] extends Variable<infer T> ? T : never };

/**
 * Reads the configuration from environment variables.
 *
 * @throws ConfigError on the first wrong, missing or contradicting value.
 */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const values = readValues(environment);
  const port = values.PORT ?? 8080;
  const tls = together(values, "TLS_CERT_FILE", "TLS_KEY_FILE");
  if (values.DATABASE_URL !== undefined) {
    need(values, "PUBLIC_URL", "with DATABASE_URL, because links point there");
    need(
      values,
      "MASTER_KEY",
      "with DATABASE_URL: 32 random bytes in base64, such as `openssl rand -base64 32` prints",
    );
  }
  if (values.SMTP_URL !== undefined) need(values, "EMAIL_FROM", "with SMTP_URL");
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
    tls: tls && { certFile: resolve(tls[0]), keyFile: resolve(tls[1]) },
    corsOrigins: values.CORS_ORIGINS ?? [],
    trustedProxies: values.TRUSTED_PROXIES ?? [],
    maxBodyBytes: values.MAX_BODY_BYTES ?? 1_048_576,
    requestTimeoutMs: values.REQUEST_TIMEOUT_MS ?? 15_000,
    bcryptCost: values.BCRYPT_COST ?? 12,
    hashThreads: values.HASH_THREADS ?? availableParallelism(),
    logLevel: values.LOG_LEVEL ?? "info",
    smtpUrl: values.SMTP_URL,
    emailFrom: values.EMAIL_FROM,
    sms: readSmsProvider(values),
    webauthnRpId: readRelyingPartyId(values.WEBAUTHN_RP_ID, publicUrl),
  });
}

function readValues(environment: Readonly<Record<string, string | undefined>>): Values {
  const values: Record<string, unknown> = {};
  for (const [name, { schema, allowed, secret }] of Object.entries(VARIABLES) as [Name, Variable<unknown>][]) {
    // An empty variable is one that is not set: that is how shells and compose files leave one out.
    const text = environment[name]?.trim();
    if (!text) continue;
    const parsed = schema.safeParse(text);
    if (!parsed.success) {
      throw new ConfigError(
        `${name} ${secret ? "holds something else" : `is ${JSON.stringify(text)}`}: it must be ${allowed}`,
      );
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
        url: need(values, "SMS_WEBHOOK_URL", "with SMS_PROVIDER=webhook"),
        secret: need(values, "SMS_WEBHOOK_SECRET", "with SMS_PROVIDER=webhook"),
      };
    case "twilio":
      return {
        kind,
        accountSid: need(values, "TWILIO_ACCOUNT_SID", "with SMS_PROVIDER=twilio"),
        authToken: need(values, "TWILIO_AUTH_TOKEN", "with SMS_PROVIDER=twilio"),
        from: need(values, "TWILIO_FROM", "with SMS_PROVIDER=twilio"),
        baseUrl: values.TWILIO_BASE_URL ?? "https://api.twilio.com",
      };
    default:
      return kind satisfies never;
  }
}

/** WebAuthn, section 5.1.3: the id is a domain, and the page's host is that domain or below it. */
function readRelyingPartyId(given: string | undefined, publicUrl: string): string {
  const host = new URL(publicUrl).hostname;
  if (given === undefined) {
    if (isDomain(host)) return host;
    throw new ConfigError(
      `PUBLIC_URL is "${publicUrl}": its host must be a domain or localhost, because passkeys need one`,
    );
  }
  if (host === given || host.endsWith(`.${given}`)) return given;
  throw new ConfigError(
    `WEBAUTHN_RP_ID is "${given}": it must be the host of PUBLIC_URL (${host}) or a domain above it`,
  );
}

function need<N extends Name>(values: Values, name: N, when: string): NonNullable<Values[N]> {
  const value = values[name];
  if (value === undefined || value === null) {
    throw new ConfigError(`${name} is not set: it is required ${when} (${VARIABLES[name].allowed})`);
  }
  return value;
}

function together(values: Values, a: "TLS_CERT_FILE", b: "TLS_KEY_FILE"): [string, string] | undefined {
  if (values[a] === undefined && values[b] === undefined) return undefined;
  return [need(values, a, `with ${b}`), need(values, b, `with ${a}`)];
}

function variable<T>(schema: z.ZodType<T, string>, allowed: string, secret?: "secret"): Variable<T> {
  return secret ? { schema, allowed, secret: true } : { schema, allowed };
}

function integer(min: number, max: number): z.ZodType<number, string> {
  return z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number)
    .pipe(z.number().min(min).max(max));
}

function list<T>(item: z.ZodType<T, string>): z.ZodType<T[], string> {
  return z
    .string()
    .transform((text) =>
      text
        .split(",")
        .map((part) => part.trim())
        .filter((part) => part !== ""),
    )
    .pipe(z.array(item));
}

function url(protocols: readonly string[]): z.ZodType<string, string> {
  return z.string().refine((text) => isUrl(text, protocols));
}

function isUrl(text: string, protocols: readonly string[]): boolean {
  return protocols.includes(URL.parse(text)?.protocol ?? "");
}

/** With the folder of a Unix socket in the parameter `host`, the host is empty: `postgres://user@/db?host=/path`. */
function postgresUrl(): z.ZodType<string, string> {
  const withHost = (text: string) => (/[?&]host=(\/|%2f)/i.test(text) ? text.replace("@/", "@localhost/") : text);
  return z.string().refine((text) => isUrl(withHost(text), ["postgres:", "postgresql:"]));
}

function httpOrigin(): z.ZodType<string, string> {
  return (
    z
      .string()
      .transform((text) => URL.parse(text))
      .refine((parsed) => parsed !== null && /^https?:$/.test(parsed.protocol) && parsed.href === `${parsed.origin}/`)
      // No browser sends one: a pattern would match nothing.
      .refine((parsed) => !parsed?.hostname.includes("*"))
      .transform((parsed) => parsed?.origin ?? "")
  );
}

function masterKey(): z.ZodType<Buffer, string> {
  return z
    .string()
    .regex(/^[A-Za-z0-9+/]{43}=?$/)
    .transform((text) => Buffer.from(text, "base64"))
    .refine((key) => key.length === 32);
}

function isAddressRange(text: string): boolean {
  const [address = "", bits, ...rest] = text.split("/");
  const size = isIP(address) === 4 ? 32 : isIP(address) === 6 ? 128 : -1;
  return size > 0 && rest.length === 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= size));
}

function isDomain(text: string): boolean {
  return (
    isIP(text.replace(/^\[|\]$/g, "")) === 0 &&
    /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/.test(text)
  );
}
