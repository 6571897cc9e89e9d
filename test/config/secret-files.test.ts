import { chmodSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Config, ConfigError, readConfig } from "../../src/config.ts";
import { createProcesses } from "../support/servers/process.ts";

const KEY = Buffer.alloc(32, 7).toString("base64");
const SECRET = "hunter2";
const folder = mkdtempSync(join(tmpdir(), "signet-secrets-"));
afterAll(() => rmSync(folder, { recursive: true }));
let files = 0;

function file(content: string | Buffer): string {
  const path = join(folder, `secret ${++files}`);
  writeFileSync(path, content);
  return path;
}

function refusal(environment: Record<string, string>): string {
  try {
    readConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  throw new Error(`${JSON.stringify(environment)} was accepted`);
}

const POSTGRES = { PUBLIC_URL: "https://id.example.com", MASTER_KEY: KEY };
const SMTP = { EMAIL_FROM: "a@b.c" };
const TWILIO = { SMS_PROVIDER: "twilio", TWILIO_ACCOUNT_SID: "AC1", TWILIO_FROM: "+4179" };
const WEBHOOK = { SMS_PROVIDER: "webhook" };

test.each<[string, Record<string, string>, Record<string, string>, Partial<Config>]>([
  ["MASTER_KEY", { MASTER_KEY: KEY }, {}, { masterKey: Buffer.alloc(32, 7) }],
  ["MASTER_KEY_PREVIOUS", { MASTER_KEY_PREVIOUS: `${KEY},` }, {}, { previousMasterKeys: [Buffer.alloc(32, 7)] }],
  ["DATABASE_URL", { DATABASE_URL: "postgres://db/x" }, POSTGRES, { databaseUrl: "postgres://db/x" }],
  ["SMTP_URL", { SMTP_URL: "smtp://u:p@mail" }, SMTP, { smtpUrl: "smtp://u:p@mail" }],
  [
    "TWILIO_AUTH_TOKEN",
    { TWILIO_AUTH_TOKEN: "t" },
    TWILIO,
    { sms: expect.objectContaining({ authToken: "t" }) as never },
  ],
  [
    "SMS_WEBHOOK_URL and SMS_WEBHOOK_SECRET",
    { SMS_WEBHOOK_URL: "https://sms.example.com", SMS_WEBHOOK_SECRET: " s " },
    WEBHOOK,
    { sms: { kind: "webhook", url: "https://sms.example.com", secret: " s " } },
  ],
])("%s can be in a file, with or without a newline at the end", (_names, secrets, others, expected) => {
  for (const end of ["", "\n", "\r\n"]) {
    const variables = Object.entries(secrets).map(([name, secret]) => [`${name}_FILE`, file(`${secret}${end}`)]);
    expect(readConfig({ ...others, ...Object.fromEntries(variables) })).toMatchObject(expected);
  }
});

test("only one newline is dropped from a file", () => {
  const environment = {
    ...WEBHOOK,
    SMS_WEBHOOK_URL: "https://sms.example.com",
    SMS_WEBHOOK_SECRET_FILE: file("a\n\n"),
  };
  expect(readConfig(environment).sms).toMatchObject({ secret: "a\n" });
});

test("a secret file can be a symbolic link, and an empty …_FILE counts as not set", () => {
  const link = join(folder, "link");
  symlinkSync(file(KEY), link);
  expect(readConfig({ MASTER_KEY_FILE: ` ${link} ` }).masterKey).toEqual(Buffer.alloc(32, 7));
  expect(readConfig({ MASTER_KEY_FILE: link, MASTER_KEY: "" }).masterKey).toEqual(Buffer.alloc(32, 7));
  expect(readConfig({ MASTER_KEY_FILE: "", MASTER_KEY: KEY }).masterKey).toEqual(Buffer.alloc(32, 7));
});

test("a variable that is not secret cannot be in a file", () => {
  expect(readConfig({ LOG_LEVEL_FILE: file("debug") }).logLevel).toBe("info");
});

test.each<[string, () => string, string]>([
  ["missing", () => join(folder, SECRET), "cannot read the file (ENOENT: no such file or directory)"],
  ["a folder", () => folder, "cannot read the file (EISDIR: illegal operation on a directory)"],
  ["empty", () => file(""), "the file is empty"],
  ["a single newline", () => file("\n"), "the file is empty"],
  ["too large", () => file(SECRET.repeat(10_000)), "expected a file of at most 65536 bytes, got a larger one"],
  ["endless", () => "/dev/zero", "expected a file of at most 65536 bytes, got a larger one"],
  ["binary", () => file(Buffer.from([0xff, 0xfe, 0x00])), "expected a text file in UTF-8"],
  [
    "not a key",
    () => file(SECRET),
    "expected a file that contains 32 bytes in base64, such as the output of `openssl rand -base64 32`",
  ],
])("a file that is %s is rejected, without its path and its content", (_what, create, problem) => {
  expect(refusal({ MASTER_KEY_FILE: create() })).toBe(`MASTER_KEY_FILE is invalid: ${problem}`);
});

test("a value and a file for the same variable are rejected, and both are named", () => {
  expect(refusal({ MASTER_KEY: KEY, MASTER_KEY_FILE: file(KEY) })).toBe(
    "MASTER_KEY and MASTER_KEY_FILE are both set: expected only one of them",
  );
});

test("a file that this user may not read is rejected", () => {
  const path = file(KEY);
  chmodSync(path, 0);
  expect(asNobody(() => refusal({ MASTER_KEY_FILE: path }))).toBe(
    "MASTER_KEY_FILE is invalid: cannot read the file (EACCES: permission denied)",
  );
});

/** Root may read every file, so root temporarily becomes another user. */
function asNobody<T>(run: () => T): T {
  if (process.geteuid?.() !== 0) return run();
  process.seteuid?.(65_534);
  try {
    return run();
  } finally {
    process.seteuid?.(0);
  }
}

describe("the process", () => {
  const processes = createProcesses();
  afterAll(() => processes.close());

  test("reads the files named in .env, relative to its working folder", async () => {
    const names = "DATABASE_URL_FILE=url\nMASTER_KEY_FILE=key\nPUBLIC_URL=http://localhost\n";
    writeFileSync(join(processes.root, ".env"), names);
    writeFileSync(join(processes.root, "key"), processes.secret(KEY));
    writeFileSync(join(processes.root, "url"), `postgres://signet:${processes.secret(SECRET)}@127.0.0.1:1/signet\n`);
    expect(await processes.run(["org", "list"])).toMatchObject({
      code: 1,
      stdout: "",
      stderr: "signet: the database cannot be reached: connect ECONNREFUSED 127.0.0.1:1\n",
    });
  });
});
