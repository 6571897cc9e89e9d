import { writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join, resolve } from "node:path";
import { type Config, ConfigError, readConfig } from "../src/config.ts";
import { createProcesses } from "./support/servers/process.ts";

const KEY = Buffer.alloc(32, 7).toString("base64");
const OLD_KEY = Buffer.alloc(32, 8).toString("base64");
const POSTGRES = { DATABASE_URL: "postgres://u:p@db/signet", PUBLIC_URL: "https://id.example.com", MASTER_KEY: KEY };

test("an empty environment gives the defaults, and they cannot be changed", () => {
  const config = readConfig({});
  expect(config).toEqual({
    host: "127.0.0.1",
    port: 8080,
    publicUrl: "http://localhost:8080",
    dataDir: resolve("data"),
    databaseUrl: undefined,
    databasePoolSize: 16,
    databasePrepared: true,
    migrateOnStart: true,
    masterKey: undefined,
    previousMasterKeys: [],
    createAdminToken: true,
    adminTokenFile: resolve("data/admin.token"),
    tls: undefined,
    corsOrigins: [],
    trustedProxies: [],
    maxConnections: 10_000,
    maxConnectionsPerAddress: 512,
    maxAnonymousRequests: 500,
    maxBodyBytes: 1_048_576,
    requestTimeoutMs: 15_000,
    passwordHash: "bcrypt",
    accountDeletion: false,
    bcryptCost: 12,
    hashThreads: availableParallelism(),
    logLevel: "info",
    smtpUrl: undefined,
    emailFrom: undefined,
    sms: undefined,
    retentionDays: 30,
    idpAllowPrivateNetworks: false,
    clientMetadataHosts: [],
    webauthnRpId: "localhost",
    passkeyOffer: "once",
    shutdownDelayMs: 0,
  });
  expect(Object.isFrozen(config)).toBe(true);
});

const TLS = { TLS_CERT_FILE: "cert.pem", TLS_KEY_FILE: "key.pem" };
const TWILIO = { SMS_PROVIDER: "twilio", TWILIO_ACCOUNT_SID: "AC1", TWILIO_AUTH_TOKEN: "t", TWILIO_FROM: "+4179" };
const WEBHOOK = { SMS_PROVIDER: "webhook", SMS_WEBHOOK_URL: "https://sms.example.com/send", SMS_WEBHOOK_SECRET: "s" };

test.each<[Record<string, string>, Partial<Config>]>([
  [{ HOST: "0.0.0.0" }, { host: "0.0.0.0" }],
  [{ HOST: "::1" }, { host: "::1" }],
  [{ HOST: "id.internal" }, { host: "id.internal" }],
  [{ PORT: "0" }, { port: 0 }],
  [{ PORT: "65535" }, { port: 65_535, publicUrl: "http://localhost:65535" }],
  [{ PUBLIC_URL: "https://id.example.com" }, { publicUrl: "https://id.example.com", webauthnRpId: "id.example.com" }],
  [{ PUBLIC_URL: "https://ID.example.com:443/" }, { publicUrl: "https://id.example.com" }],
  [{ PUBLIC_URL: "http://localhost:9000" }, { publicUrl: "http://localhost:9000", webauthnRpId: "localhost" }],
  [{ DATA_DIR: "/srv/signet" }, { dataDir: "/srv/signet", adminTokenFile: "/srv/signet/admin.token" }],
  [{ DATA_DIR: "state" }, { dataDir: resolve("state") }],
  [POSTGRES, { databaseUrl: POSTGRES.DATABASE_URL, masterKey: Buffer.alloc(32, 7) }],
  [{ ...POSTGRES, DATABASE_URL: "postgresql://db/x" }, { databaseUrl: "postgresql://db/x" }],
  ...[
    "postgres:///signet?host=/var/run/postgresql",
    "postgres://signet@/signet?host=/var/run/postgresql",
    "postgres://signet:p@/signet?port=5433&host=%2Fvar%2Frun",
    "postgres://signet@%2Fvar%2Frun%2Fpostgresql/signet",
  ].map((socket): [Record<string, string>, object] => [{ ...POSTGRES, DATABASE_URL: socket }, { databaseUrl: socket }]),
  [{ DATABASE_POOL_SIZE: "1" }, { databasePoolSize: 1 }],
  [{ DATABASE_POOL_SIZE: "1000" }, { databasePoolSize: 1_000 }],
  [{ DATABASE_PREPARED: "false" }, { databasePrepared: false }],
  [{ MASTER_KEY: KEY }, { masterKey: Buffer.alloc(32, 7) }],
  [{ MASTER_KEY: KEY.replace("=", "") }, { masterKey: Buffer.alloc(32, 7) }],
  [
    { MASTER_KEY: KEY, MASTER_KEY_PREVIOUS: `${OLD_KEY}, ${KEY},` },
    { previousMasterKeys: [Buffer.alloc(32, 8), Buffer.alloc(32, 7)] },
  ],
  [{ CREATE_ADMIN_TOKEN: "false" }, { createAdminToken: false }],
  [{ ADMIN_TOKEN_FILE: "/run/secrets/admin" }, { adminTokenFile: "/run/secrets/admin" }],
  [
    TLS,
    {
      tls: { certFile: resolve("cert.pem"), keyFile: resolve("key.pem") },
      publicUrl: "https://localhost:8080",
    },
  ],
  [{ CORS_ORIGINS: "*" }, { corsOrigins: ["*"] }],
  [
    { CORS_ORIGINS: "https://a.example.com,http://localhost:3000/ " },
    { corsOrigins: ["https://a.example.com", "http://localhost:3000"] },
  ],
  [{ TRUSTED_PROXIES: "10.0.0.0/8, 192.0.2.1,fd00::/8" }, { trustedProxies: ["10.0.0.0/8", "192.0.2.1", "fd00::/8"] }],
  [{ MAX_BODY_BYTES: "1024" }, { maxBodyBytes: 1_024 }],
  [{ MAX_BODY_BYTES: "1073741824" }, { maxBodyBytes: 1_073_741_824 }],
  [{ REQUEST_TIMEOUT_MS: "1" }, { requestTimeoutMs: 1 }],
  [{ REQUEST_TIMEOUT_MS: "3600000" }, { requestTimeoutMs: 3_600_000 }],
  [{ PASSWORD_HASH: "argon2id" }, { passwordHash: "argon2id" }],
  [{ BCRYPT_COST: "4" }, { bcryptCost: 4 }],
  [{ BCRYPT_COST: "16" }, { bcryptCost: 16 }],
  [{ HASH_THREADS: "1" }, { hashThreads: 1 }],
  [{ HASH_THREADS: "256" }, { hashThreads: 256 }],
  [{ LOG_LEVEL: "silent" }, { logLevel: "silent" }],
  [{ EMAIL_FROM: "Signet <no-reply@example.com>" }, { emailFrom: "Signet <no-reply@example.com>", smtpUrl: undefined }],
  [
    { SMTP_URL: "smtp://u:p@mail:587", EMAIL_FROM: "a@b.c" },
    { smtpUrl: "smtp://u:p@mail:587", emailFrom: "a@b.c" },
  ],
  [{ SMTP_URL: "smtps://mail", EMAIL_FROM: "a@b.c" }, { smtpUrl: "smtps://mail" }],
  [{ SMS_PROVIDER: "file" }, { sms: { kind: "file" } }],
  [WEBHOOK, { sms: { kind: "webhook", url: WEBHOOK.SMS_WEBHOOK_URL, secret: "s" } }],
  [
    TWILIO,
    { sms: { kind: "twilio", accountSid: "AC1", authToken: "t", from: "+4179", baseUrl: "https://api.twilio.com" } },
  ],
  [
    { ...TWILIO, TWILIO_BASE_URL: "http://localhost:1" },
    { sms: expect.objectContaining({ baseUrl: "http://localhost:1" }) as never },
  ],
  [{ PUBLIC_URL: "https://id.example.com", WEBAUTHN_RP_ID: "example.com" }, { webauthnRpId: "example.com" }],
  [{ PUBLIC_URL: "https://id.example.com", WEBAUTHN_RP_ID: "id.example.com" }, { webauthnRpId: "id.example.com" }],
  [{}, { passkeyOffer: "once" }],
  [{ PASSKEY_OFFER: "never" }, { passkeyOffer: "never" }],
  [{ IDP_ALLOW_PRIVATE_NETWORKS: "true" }, { idpAllowPrivateNetworks: true }],
  [{ IDP_ALLOW_PRIVATE_NETWORKS: "false" }, { idpAllowPrivateNetworks: false }],
  [{ CLIENT_METADATA_HOSTS: "a.example, b.example:8443" }, { clientMetadataHosts: ["a.example", "b.example:8443"] }],
  [{ MIGRATE_ON_START: "false" }, { migrateOnStart: false }],
  [{ SHUTDOWN_DELAY_MS: "5000" }, { shutdownDelayMs: 5_000 }],
  [{ RETENTION_DAYS: "0" }, { retentionDays: 0 }],
  [{ RETENTION_DAYS: "36500" }, { retentionDays: 36_500 }],
  [{ PORT: "  81 " }, { port: 81 }],
])("%j is read", (environment, expected) => {
  expect(readConfig(environment)).toMatchObject(expected);
});

const VARIABLES = [
  ...["HOST", "PORT", "PUBLIC_URL", "DATA_DIR", "DATABASE_URL", "DATABASE_POOL_SIZE", "MASTER_KEY"],
  ...["MASTER_KEY_PREVIOUS", "ADMIN_TOKEN_FILE", "TLS_CERT_FILE", "TLS_KEY_FILE", "CORS_ORIGINS", "TRUSTED_PROXIES"],
  ...["MAX_BODY_BYTES", "REQUEST_TIMEOUT_MS", "BCRYPT_COST", "HASH_THREADS", "LOG_LEVEL", "SMTP_URL", "EMAIL_FROM"],
  ...["SMS_PROVIDER", "TWILIO_ACCOUNT_SID", "TWILIO_AUTH_TOKEN", "TWILIO_FROM", "TWILIO_BASE_URL"],
  ...["SMS_WEBHOOK_URL", "SMS_WEBHOOK_SECRET", "WEBAUTHN_RP_ID", "RETENTION_DAYS", "PASSKEY_OFFER"],
  ...[
    "IDP_ALLOW_PRIVATE_NETWORKS",
    "CLIENT_METADATA_HOSTS",
    "SHUTDOWN_DELAY_MS",
    "MIGRATE_ON_START",
    "CREATE_ADMIN_TOKEN",
  ],
];

test.each(["", "   "])("variables that hold %j are not set", (nothing) => {
  expect(readConfig(Object.fromEntries(VARIABLES.map((name) => [name, nothing])))).toEqual(readConfig({}));
});

/** The one line that an environment is refused with. */
function refusal(environment: Record<string, string>): string {
  try {
    readConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  throw new Error(`${JSON.stringify(environment)} was accepted`);
}

const NUMBERS = ["-1", "1.5", "1e3", "0x10", "eighty", "1 000", "9".repeat(20)];
const ORIGINS = ["example.com", "ftp://example.com", "https://", "https://u:p@example.com", "https://a.example.com/x"];

test.each<[string, string, readonly string[]]>([
  ["HOST", "a host name or an IP address", ["http://localhost", "a b", "[::1]", "10.0.0.0/8"]],
  ["PORT", "an integer from 0 to 65535", [...NUMBERS, "65536"]],
  [
    "PUBLIC_URL",
    "an http or https URL without a path, such as https://id.example.com",
    [...ORIGINS, "https://a.example.com?x", "https://a.example.com#x", "/"],
  ],
  ["DATABASE_POOL_SIZE", "an integer from 1 to 1000", [...NUMBERS, "0", "1001"]],
  [
    "CORS_ORIGINS",
    "* or a comma-separated list of origins such as https://app.example.com",
    [...ORIGINS, "https://a.example.com,b", "https://*.example.com", "null"],
  ],
  [
    "TRUSTED_PROXIES",
    "a comma-separated list of IP addresses or ranges such as 10.0.0.0/8",
    ["proxy", "10.0.0.0/33", "fd00::/129", "10.0.0.0/8/8", "10.0.0.0/", "10.0.0", "10.0.0.0/-1"],
  ],
  ["PASSKEY_OFFER", "one of once, never", ["yes", "true", "ONCE"]],
  ["IDP_ALLOW_PRIVATE_NETWORKS", "true or false", ["yes", "1", "TRUE"]],
  [
    "CLIENT_METADATA_HOSTS",
    "a comma-separated list of lowercase host names such as apps.example.com",
    ["https://a.example", "A.example", "*.example", "a.example/x", "10.0.0.1"],
  ],
  ["RETENTION_DAYS", "an integer from 0 to 36500", [...NUMBERS, "36501", "30d"]],
  ["MAX_BODY_BYTES", "an integer from 1024 to 1073741824", [...NUMBERS, "1023", "1073741825", "1MiB"]],
  ["REQUEST_TIMEOUT_MS", "an integer from 1 to 3600000", [...NUMBERS, "0", "3600001", "15s"]],
  ["MIGRATE_ON_START", "true or false", ["yes", "0", "False"]],
  ["SHUTDOWN_DELAY_MS", "an integer from 0 to 3600000", [...NUMBERS, "3600001", "5s"]],
  ["BCRYPT_COST", "an integer from 4 to 16", [...NUMBERS, "3", "17"]],
  ["HASH_THREADS", "an integer from 1 to 256", [...NUMBERS, "0", "257"]],
  ["LOG_LEVEL", "one of trace, debug, info, warn, error, fatal, silent", ["verbose", "INFO", "30"]],
  ["EMAIL_FROM", 'an address such as "Signet <no-reply@example.com>"', ["no-reply", "a@b\r\nBcc: c@d", "@"]],
  ["SMS_PROVIDER", "one of twilio, webhook, file", ["sns", "Twilio", "none"]],
  ["TWILIO_BASE_URL", "an http or https URL", ["api.twilio.com", "ftp://api.twilio.com"]],
  [
    "WEBAUTHN_RP_ID",
    "a lowercase domain, such as example.com",
    [
      "127.0.0.1",
      "::1",
      "[::1]",
      "https://example.com",
      "example.com:443",
      "Example.com",
      "-a.com",
      "a..com",
      "a_b.com",
      "é.com",
    ],
  ],
])("%s must be %s", (name, allowed, values) => {
  for (const value of values) {
    const shown = JSON.stringify(value.replace("//u:p@", "//…@"));
    expect(refusal({ [name]: value })).toBe(`${name} is invalid: expected ${allowed}, got ${shown}`);
  }
});

const SECRET = "hunter2";

test.each<[string, string, readonly string[]]>([
  [
    "DATABASE_URL",
    "a URL that starts with postgres:// or postgresql://",
    [`mysql://u:${SECRET}@db/x`, SECRET, `u:${SECRET}@db`, `postgres://u:${SECRET}@/x`],
  ],
  [
    "MASTER_KEY",
    "32 bytes in base64, such as the output of `openssl rand -base64 32`",
    [
      SECRET,
      `${SECRET}${KEY}`,
      KEY.slice(4),
      `${KEY.slice(0, 42)}-=`,
      Buffer.alloc(33).toString("base64"),
      Buffer.alloc(32).toString("hex"),
    ],
  ],
  ["MASTER_KEY_PREVIOUS", "a comma-separated list of 32-byte keys in base64", [SECRET, `${KEY},${SECRET}`]],
  ["SMTP_URL", "a URL that starts with smtp:// or smtps://", [`https://u:${SECRET}@mail`, `mail:${SECRET}`]],
  ["SMS_WEBHOOK_URL", "an http or https URL", [`ftp://${SECRET}@host`, SECRET]],
])("%s must be %s, and what it held is not shown", (name, allowed, values) => {
  for (const value of values) {
    expect(refusal({ [name]: value })).toBe(`${name} is invalid: expected ${allowed}`);
  }
});

test.each(["PUBLIC_URL", "TWILIO_BASE_URL", "OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"])(
  "credentials in %s are not shown",
  (name) => {
    for (const credentials of [`u:${SECRET}`, SECRET, `u:a/${SECRET}`, `u:a@${SECRET}`]) {
      expect(refusal({ [name]: `http://${credentials}@[host` })).toMatch(/, got "http:\/\/…@\[host"$/);
    }
  },
);

test.each<[Record<string, string>, string]>([
  [
    { ...POSTGRES, PUBLIC_URL: "" },
    "PUBLIC_URL is not set: DATABASE_URL requires it; expected an http or https URL without a path, such as https://id.example.com",
  ],
  [
    { ...POSTGRES, MASTER_KEY: "" },
    "MASTER_KEY is not set: DATABASE_URL requires it; expected 32 bytes in base64, such as the output of `openssl rand -base64 32`",
  ],
  [
    { TLS_CERT_FILE: "cert.pem" },
    "TLS_KEY_FILE is not set: TLS_CERT_FILE requires it; expected the path of a PEM file",
  ],
  [{ TLS_KEY_FILE: "key.pem" }, "TLS_CERT_FILE is not set: TLS_KEY_FILE requires it; expected the path of a PEM file"],
  [
    { SMTP_URL: `smtp://u:${SECRET}@mail` },
    'EMAIL_FROM is not set: SMTP_URL requires it; expected an address such as "Signet <no-reply@example.com>"',
  ],
  [
    { ...TWILIO, TWILIO_ACCOUNT_SID: "" },
    "TWILIO_ACCOUNT_SID is not set: SMS_PROVIDER=twilio requires it; expected the account's SID",
  ],
  [
    { ...TWILIO, TWILIO_AUTH_TOKEN: "" },
    "TWILIO_AUTH_TOKEN is not set: SMS_PROVIDER=twilio requires it; expected the account's auth token",
  ],
  [
    { ...TWILIO, TWILIO_FROM: "" },
    "TWILIO_FROM is not set: SMS_PROVIDER=twilio requires it; expected a phone number or a sender id",
  ],
  [
    { ...WEBHOOK, SMS_WEBHOOK_URL: "" },
    "SMS_WEBHOOK_URL is not set: SMS_PROVIDER=webhook requires it; expected an http or https URL",
  ],
  [
    { ...WEBHOOK, SMS_WEBHOOK_SECRET: "" },
    "SMS_WEBHOOK_SECRET is not set: SMS_PROVIDER=webhook requires it; expected the key of the webhook's signatures",
  ],
  [
    { PUBLIC_URL: "https://id.example.com", WEBAUTHN_RP_ID: "example.org" },
    'WEBAUTHN_RP_ID is invalid: expected the host of PUBLIC_URL (id.example.com) or a parent domain of it, got "example.org"',
  ],
  [
    { PUBLIC_URL: "https://example.com", WEBAUTHN_RP_ID: "id.example.com" },
    'WEBAUTHN_RP_ID is invalid: expected the host of PUBLIC_URL (example.com) or a parent domain of it, got "id.example.com"',
  ],
  [
    { PUBLIC_URL: "https://notexample.com", WEBAUTHN_RP_ID: "example.com" },
    'WEBAUTHN_RP_ID is invalid: expected the host of PUBLIC_URL (notexample.com) or a parent domain of it, got "example.com"',
  ],
  [
    { PUBLIC_URL: "http://127.0.0.1:8080" },
    'PUBLIC_URL is invalid: expected a domain or localhost as its host, because passkeys require one, got "http://127.0.0.1:8080"',
  ],
  [
    { PUBLIC_URL: "http://[::1]:8080" },
    'PUBLIC_URL is invalid: expected a domain or localhost as its host, because passkeys require one, got "http://[::1]:8080"',
  ],
])("%j do not go together", (environment, message) => {
  expect(refusal(environment)).toBe(message);
});

describe("the process", () => {
  const processes = createProcesses();
  afterAll(() => processes.close());

  test("reads .env of the folder that it starts in, and its own environment wins", async () => {
    writeFileSync(join(processes.root, ".env"), "LOG_LEVEL=verbose\nBCRYPT_COST=99\n");
    const fromFile = await processes.run(["migrate"]);
    expect(fromFile).toMatchObject({ code: 1, stdout: "" });
    expect(fromFile.stderr).toMatch(
      /^signet: LOG_LEVEL is invalid: expected one of trace, .*, silent, got "verbose"\n$/,
    );
    const fromBoth = await processes.run(["migrate"], { LOG_LEVEL: "info", BCRYPT_COST: "98" });
    expect(fromBoth.stderr).toBe('signet: BCRYPT_COST is invalid: expected an integer from 4 to 16, got "98"\n');
  });
});
