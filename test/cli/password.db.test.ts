import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { human, IMPORT_PATH, send } from "../support/clients/send.ts";
import { createProcesses, type Ended, type Installation } from "../support/servers/process.ts";
import { serveHere } from "../support/servers/serve-here.ts";
import type { TestService } from "../support/servers/service.ts";

const PASSWORD = "correct horse";
/** By passlib: `pbkdf2_sha256.using(rounds=1000)`. */
const PBKDF2 = "$pbkdf2-sha256$1000$....MDEyMzQ1Njc4OWFiYw$NZfc2L7sE5ZosGynQSLWqB7J5NWdZJ6T/jlJu00Y07w";

const processes = createProcesses();
processes.secret(PASSWORD);
processes.secret(PBKDF2);
let installation: Installation;
let service: TestService;
let importUser: (name: string, fields?: object) => Promise<string>;

beforeAll(async () => {
  installation = await processes.createInstallation("password");
  service = await serveHere(installation);
  const token = service.adminToken;
  importUser = async (name, fields = {}) => {
    const { status, body } = await send(service.origin, "POST", IMPORT_PATH, {
      token,
      body: { ...human(name), ...fields },
    });
    expect(status).toBe(200);
    return (body as { userId: string }).userId;
  };
});
afterAll(async () => {
  await service.close();
  await processes.close();
});

const check = (args: readonly string[], input: string): Promise<Ended> =>
  processes.runHere(["password", "check", ...args], installation.variables, { input });

test("the command prints the scheme of an imported hash and whether the password matches", async () => {
  const id = await importUser("grace", { hashedPassword: { value: PBKDF2 } });
  const lines = (password: string, ...rest: string[]) =>
    [`user      grace (${id})`, "scheme    PBKDF2", `password  ${password}`, ...rest, ""].join("\n");
  expect(await check(["grace"], `${PASSWORD}\n`)).toMatchObject({
    code: 0,
    stdout: lines("matches", "rehash    with bcrypt, at the next sign-in"),
    stderr: "",
  });
  expect(await check([id], `${PASSWORD}x`)).toMatchObject({ code: 1, stdout: lines("does not match"), stderr: "" });
  const { code, stdout } = await processes.run(
    ["password", "check", "GRACE", "--org", "default", "--json"],
    installation.variables,
    { input: `${PASSWORD}\r\n` },
  );
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    userId: id,
    userName: "grace",
    scheme: "PBKDF2",
    matches: true,
    needsRehash: true,
  });
});

test("a password that Signet has hashed matches and needs no new hash", async () => {
  await importUser("ada", { password: PASSWORD });
  const { code, stdout } = await check(["ada"], PASSWORD);
  expect([code, stdout]).toEqual([0, expect.stringMatching(/\nscheme {4}bcrypt\npassword {2}matches\n$/)]);
  expect(await check(["ada"], ` ${PASSWORD}`)).toMatchObject({ code: 1 });
  expect(await check(["ada"], "")).toMatchObject({ code: 1 });
});

test.each([
  [
    "a user that does not exist",
    ["nobody"],
    /^signet: no user has the id "nobody", and none in organization "default"/,
  ],
  ["an organization that does not exist", ["grace", "--org", "none"], /^signet: no organization has the id or name/],
  ["a machine user", ["admin"], /^signet: user "admin" has no password\n$/],
])("%s is reported in one line", async (_what, args, message) => {
  expect(await check(args, PASSWORD)).toMatchObject({ code: 1, stdout: "", stderr: expect.stringMatching(message) });
});

test("an input that is too long is rejected", async () => {
  await importUser("long", { password: PASSWORD });
  const { code, stderr } = await check(["long"], "x".repeat(100_000));
  expect([code, stderr]).toEqual([1, "signet: the password on standard input is too long\n"]);
});

/** Of util-linux; it runs a command on a terminal. */
const SCRIPT = "/usr/bin/script";

(existsSync(SCRIPT) ? test : test.skip)("on a terminal the password is not shown", async () => {
  await importUser("typing", { password: PASSWORD });
  const bin = fileURLToPath(new URL("../../bin/signet.js", import.meta.url));
  const env = { PATH: process.env.PATH, BCRYPT_COST: "4", ...installation.variables };
  const command = `${process.execPath} ${bin} password check typing`;
  const output = await new Promise<string>((resolve) => {
    const child = execFile(SCRIPT, ["-qec", command, "/dev/null"], { env, timeout: 300_000 }, (_error, stdout) =>
      resolve(stdout),
    );
    let seen = "";
    child.stdout?.on("data", (text) => {
      seen += text;
      // The password has an extra character, which is deleted.
      if (seen.endsWith("Password: ")) child.stdin?.write(`${PASSWORD}x\x7f\r`);
    });
  });
  expect(output).toMatch(/^Password: \r?\nuser {6}typing \(.*\)\r?\nscheme {4}bcrypt\r?\npassword {2}matches\r?\n/);
});
