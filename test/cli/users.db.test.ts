import { execFile } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { human, IMPORT_PATH, send } from "../support/clients/send.ts";
import { DATABASE_KINDS } from "../support/databases/database.ts";
import { startSmtp, type TestSmtp } from "../support/messages/smtp.ts";
import { createProcesses, type Ended, readToken, type TestServer } from "../support/servers/process.ts";
import { until } from "../support/until.ts";

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const UNKNOWN = "01a1fe2a-bf96-7fcb-9fb0-7912da3b4f57";
const processes = createProcesses();
afterAll(() => processes.close());

describe.each(DATABASE_KINDS)("`signet user` on %s", (kind) => {
  let smtp: TestSmtp;
  let variables: Record<string, string>;
  let server: TestServer;
  let token: string;
  let tokenFile: string;
  let ownOrg: string;
  let otherOrg: string;

  beforeAll(async () => {
    smtp = await startSmtp();
    const installation = await processes.createInstallation(`users-${kind}`, kind);
    variables = {
      ...installation.variables,
      SMTP_URL: smtp.url,
      EMAIL_FROM: "Signet <no-reply@id.example.com>",
    };
    tokenFile = installation.tokenFile;
    server = await processes.serve(variables);
    token = readToken(tokenFile);
    ({ id: ownOrg } = JSON.parse((await run("org", "list", "--json")).stdout)[0]);
    ({ id: otherOrg } = JSON.parse((await run("org", "create", "Acme", "--json")).stdout));
  });
  afterAll(() => smtp.close());

  const run = (...args: string[]): Promise<Ended> => processes.runHere(args, variables);

  async function call(path: string, body: object, orgId = ownOrg) {
    const response = await send(server.origin, "POST", path, { token, body, headers: { "x-service-orgid": orgId } });
    expect([path, response.status]).toEqual([path, 200]);
    return response.body;
  }
  const importUser = async (userName: string, email: object, orgId?: string): Promise<string> =>
    (await call(IMPORT_PATH, { ...human(userName), email }, orgId)).userId;
  const verified = (email: string) => ({ email, isEmailVerified: true });

  async function readEvents(objectId: string) {
    const { stdout } = await run("events", "tail", "--json", "--object", objectId, "--limit", "100");
    return stdout
      .split("\n")
      .filter(Boolean)
      .map((line): { type: string; editorName: string | null } => JSON.parse(line));
  }

  describe.each(["the database", "a server"] as const)("with the API of %s", (place) => {
    const isServer = place === "a server";
    const prefix = `${kind}-${isServer ? "server" : "database"}`;
    const nameOf = (name: string) => `${prefix}-${name}`;
    const emailOf = (name: string) => `${prefix}-${name}@example.com`;
    /** Events of the operator have no editor. */
    const editorName = isServer ? "admin" : null;

    function signet(...args: string[]): Promise<Ended> {
      return isServer ? run(...args, "--url", server.origin, "--token-file", tokenFile) : run(...args);
    }

    // biome-ignore lint/suspicious/noExplicitAny: a test asserts what is in it
    async function json(...args: string[]): Promise<any> {
      const { code, stdout, stderr } = await signet("user", ...args, "--json");
      expect({ args, code, stderr }).toEqual({ args, code: 0, stderr: "" });
      expect(stdout).toMatch(/^[^\n]+\n$/);
      return JSON.parse(stdout);
    }

    async function expectFailure(args: string[], code: number, message: string | RegExp): Promise<void> {
      const outcome = await signet("user", ...args);
      expect({ args, code: outcome.code, stdout: outcome.stdout }).toEqual({ args, code, stdout: "" });
      if (typeof message === "string") expect(outcome.stderr).toBe(`signet: ${message}\n`);
      else expect(outcome.stderr).toMatch(message);
    }

    test("`org create` and `org list` work too", async () => {
      const { code, stdout } = await signet("org", "create", nameOf("org"));
      expect(code).toBe(0);
      const listed = JSON.parse((await signet("org", "list", "--json")).stdout);
      expect(listed[0]).toMatchObject({ id: ownOrg, name: "default" });
      expect(listed).toContainEqual(expect.objectContaining({ id: stdout.trim(), name: nameOf("org") }));
      expect(await signet("org", "create", nameOf("ORG"))).toMatchObject({
        code: 1,
        stderr: "signet: name: is taken (ORG_NAME_TAKEN)\n",
      });
    });

    test("`org rename` and `org remove` change an organization that is named by id or name", async () => {
      const { stdout } = await signet("org", "create", nameOf("before"));
      const id = stdout.trim();
      await importUser(nameOf("gone"), verified(emailOf("gone")), id);
      expect(JSON.parse((await signet("org", "rename", nameOf("BEFORE"), nameOf("after"), "--json")).stdout)).toEqual({
        id,
        name: nameOf("after"),
      });
      expect(await signet("org", "rename", id, "default")).toMatchObject({
        code: 1,
        stderr: "signet: name: is taken (ORG_NAME_TAKEN)\n",
      });
      const unconfirmed = await signet("org", "remove", nameOf("after"));
      expect(unconfirmed).toMatchObject({ code: 2, stdout: "" });
      expect(unconfirmed.stderr).toContain("there is no terminal to confirm the change");
      expect(await signet("org", "remove", "default", "--yes")).toMatchObject({
        code: 1,
        stderr: "signet: the default organization cannot be removed (ORG_PROTECTED)\n",
      });

      const removed = await signet("org", "remove", nameOf("AFTER"), "--yes", "--json");
      // On a busy machine, it takes long enough to report its progress.
      expect(removed).toMatchObject({ code: 0, stderr: expect.stringMatching(/^(erased [01] users\n)*$/) });
      expect(JSON.parse(removed.stdout)).toEqual({ id, name: nameOf("after"), erasedUsers: 1 });
      expect((await readEvents(id)).at(-1)).toMatchObject({ type: "org.removed", editorName });
      const listed = JSON.parse((await signet("org", "list", "--json")).stdout);
      expect(listed.map((org: { id: string }) => org.id)).not.toContain(id);
      expect(await signet("org", "remove", nameOf("after"), "--yes")).toMatchObject({
        code: 1,
        stderr: `signet: no organization has the id or name "${nameOf("after")}"\n`,
      });
      // As after Ctrl-C: the command with the id waits for the end.
      expect(await signet("org", "remove", id, "--yes")).toMatchObject({
        code: 0,
        stdout: `removed ${id}, and erased 1 user\n`,
      });
      expect(await signet("org", "remove", UNKNOWN, "--yes")).toMatchObject({
        code: 1,
        stderr: "signet: the organization does not exist (ORG_NOT_FOUND)\n",
      });
    });

    test("a user is named by id, user name or verified address", async () => {
      const id = await importUser(nameOf("ada"), verified(emailOf("ada")));
      const other = await importUser(nameOf("ada"), verified(emailOf("ada")), otherOrg);
      const { user } = await json("show", id);
      expect(user).toMatchObject({
        id,
        details: { resourceOwner: ownOrg },
        state: "USER_STATE_INITIAL",
        userName: nameOf("ada"),
        human: { email: verified(emailOf("ada")) },
      });
      expect(await json("show", nameOf("ADA"))).toEqual({ user });
      expect(await json("show", emailOf("Ada"))).toEqual({ user });
      expect(await json("show", ` ${nameOf("ada")}`, "--org", ownOrg)).toEqual({ user });
      for (const org of ["acme", otherOrg]) {
        expect(await json("show", nameOf("ada"), "--org", org)).toMatchObject({ user: { id: other } });
        expect(await json("show", other, "--org", org)).toMatchObject({ user: { id: other } });
      }
      // A call reaches one organization, and the database knows that of an id.
      if (isServer)
        await expectFailure(["show", other], 1, "id: no user of the organization has this id (USER_NOT_FOUND)");
      else expect(await json("show", other)).toMatchObject({ user: { id: other } });
      const { stdout } = await signet("user", "show", id);
      expect(stdout).toContain(`\nuser name       ${nameOf("ada")}\n`);
      expect(stdout).toContain(`\nemail           ${emailOf("ada")}\n`);
      expect(stdout).toContain("\nstate           initial\n");
      expect(stdout).toContain("\npassword        none\n");
    });

    test("an unverified address names nobody, and an ambiguous one lists the users", async () => {
      await importUser(nameOf("one"), verified(emailOf("shared")));
      await importUser(nameOf("two"), verified(emailOf("shared")));
      await importUser(nameOf("three"), { email: emailOf("shared") });
      await importUser(nameOf("four"), { email: emailOf("unverified") });
      await expectFailure(
        ["show", emailOf("unverified")],
        1,
        `no user has the id, user name or verified address "${emailOf("unverified")}"`,
      );
      const { code, stdout, stderr } = await signet("user", "lock", emailOf("shared"), "--yes");
      expect([code, stdout]).toEqual([2, ""]);
      const [first, heading, ...rows] = stderr.trimEnd().split("\n");
      expect(first).toBe(`signet: "${emailOf("shared")}" names several users; use the id of one:`);
      expect(heading).toMatch(/^ID +USER NAME +NAME +EMAIL +STATE +LAST SIGN-IN$/);
      expect(rows.map((row) => row.split(/ {2,}/)[1]).sort()).toEqual([nameOf("one"), nameOf("two")]);
      await expectFailure(["show", UNKNOWN], 1, "id: no user of the organization has this id (USER_NOT_FOUND)");
      await expectFailure(["show", "ada", "--org", "nowhere"], 1, 'no organization has the id or name "nowhere"');
      await expectFailure(["show", "ada", "--org", UNKNOWN], 1, "the organization does not exist (ORG_NOT_FOUND)");
      await expectFailure(["show", "x".repeat(501)], 1, /^signet: queries.*userName.*\(INVALID_ARGUMENT\)\n$/);
    });

    test("`list` lists the users of one organization in pages, by state, type, text and phone number", async () => {
      const names = ["list-a", "list-b", "list-c"].map(nameOf);
      for (const name of names) await importUser(name, verified(`${name}@example.com`));
      const search = ["list", "--search", nameOf("LIST-")];
      const listed = async (...args: string[]) => {
        // As in REST, an empty list is absent.
        const { details, result = [] } = await json(...args);
        return { token: details.nextPageToken, names: result.map(({ userName }: { userName: string }) => userName) };
      };
      expect((await listed(...search)).names).toEqual(names);
      const page = await listed(...search, "--limit", "2");
      expect(page.names).toEqual(names.slice(0, 2));
      const { stdout, stderr } = await signet("user", ...search, "--limit", "2");
      expect(stdout.split("\n").map((line) => line.split(/ {2,}/)[1])).toEqual([
        "USER NAME",
        ...names.slice(0, 2),
        undefined,
      ]);
      expect(stderr).toBe(`3 users; the next page: --page-token ${page.token}\n`);
      expect((await listed(...search, "--limit", "2", "--page-token", page.token)).names).toEqual(names.slice(2));
      expect((await listed(...search, "--state", "initial")).names).toEqual(names);
      expect((await listed(...search, "--state", "locked")).names).toEqual([]);
      expect((await listed("list", "--type", "machine")).names).toEqual(["admin"]);
      expect((await listed(...search, "--org", "Acme")).names).toEqual([]);
      const phone = { phone: "+41791234567", isPhoneVerified: true };
      await call(IMPORT_PATH, { ...human(nameOf("phone")), phone });
      const byPhone = (number: string) => listed("list", "--phone", number, "--search", nameOf("phone"));
      expect((await byPhone("+41 79 123")).names).toEqual([nameOf("phone")]);
      expect((await byPhone("+41 79 124")).names).toEqual([]);
      await expectFailure(
        ["list", "--phone", "079"],
        1,
        /^signet: queries\[0\]\.phoneQuery\.phone: must be the beginning/,
      );
      await expectFailure(["list", "--page-token", "x"], 1, /^signet: query\.pageToken: .*\(INVALID_ARGUMENT\)\n$/);
    });

    test("`import-one` imports the user in the options, or in a file with a request", async () => {
      const options = [
        "--first-name",
        "Grace",
        "--last-name",
        "Hopper",
        "--email",
        emailOf("grace"),
        "--email-verified",
      ];
      const { code, stdout } = await signet("user", "import-one", ...options, "--language", "de", "--org", "Acme");
      expect(code).toBe(0);
      const id = stdout.trim();
      expect(id).toMatch(ID);
      expect(await json("show", emailOf("grace"), "--org", "Acme")).toMatchObject({
        user: {
          id,
          userName: emailOf("grace"),
          human: {
            profile: { displayName: "Grace Hopper", preferredLanguage: "de" },
            email: { isEmailVerified: true },
          },
        },
      });
      expect(await readEvents(id)).toMatchObject([
        { type: "user.human.added", editorName },
        { type: "user.human.email.verified", editorName },
        {},
      ]);

      const file = join(processes.root, `${prefix}.json`);
      const request = {
        ...human(nameOf("hash")),
        password: "analytical engine",
        requestPasswordlessRegistration: true,
      };
      writeFileSync(file, JSON.stringify(request));
      const imported = await signet("user", "import-one", "--file", file);
      expect(imported.stdout).toMatch(/^[0-9a-f-]{36}\nlink to register a passkey: http\S+\n$/);
      await expectFailure(["import-one", "--file", file], 1, /^signet: userName: .*\(USER_NAME_TAKEN\)\n$/);
      await expectFailure(
        ["import-one", ...options, "--user-name", " "],
        1,
        /^signet: userName: .*\(INVALID_ARGUMENT\)\n$/,
      );
      writeFileSync(file, JSON.stringify({ ...request, name: "x" }));
      await expectFailure(["import-one", "--file", file], 2, /^signet: name: is not a known field; /);
      writeFileSync(file, "{");
      await expectFailure(["import-one", "--file", file], 2, /^signet: the body is not valid JSON: /);
      await expectFailure(
        ["import-one", "--file", file, ...options],
        2,
        /^error: option '--file <file>' cannot be used/,
      );
    });

    test("a user is locked, unlocked, deactivated, reactivated and erased", async () => {
      const name = nameOf("changed");
      const id = await importUser(name, verified(emailOf("changed")));
      const stateOf = async () => (await json("show", id)).user.state;
      const { code, stdout, stderr } = await signet("user", "lock", name, "--yes");
      expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: `locked ${name} (${id})\n`, stderr: "" });
      expect(await stateOf()).toBe("USER_STATE_LOCKED");
      await expectFailure(
        ["lock", id, "--yes"],
        1,
        "the call is not allowed for a user in the state USER_STATE_LOCKED (USER_STATE)",
      );
      expect(await json("unlock", emailOf("changed"))).toEqual({ id, orgId: ownOrg });
      expect(await json("deactivate", id, "--yes")).toEqual({ id, orgId: ownOrg });
      expect(await stateOf()).toBe("USER_STATE_INACTIVE");
      expect((await signet("user", "reactivate", id)).stdout).toBe(`reactivated ${id}\n`);
      expect(await json("erase", name, "--yes")).toEqual({ id, orgId: ownOrg });
      await expectFailure(["erase", id, "--yes"], 1, "id: no user of the organization has this id (USER_NOT_FOUND)");
      expect((await readEvents(id)).slice(-5)).toEqual(
        ["locked", "unlocked", "deactivated", "reactivated", "removed"].map((change) =>
          expect.objectContaining({ type: `user.${change}`, editorName }),
        ),
      );
    });

    test("`reset-password` sends a link, and prints none", async () => {
      const name = nameOf("forgetful");
      await importUser(name, verified(emailOf("forgetful")));
      const { code, stdout } = await signet("user", "reset-password", name);
      expect([code, stdout]).toEqual([
        0,
        expect.stringMatching(/^sent an email with a link to set a new password to \S+ \(\S+\)\n$/),
      ]);
      const isReset = ({ to, email }: TestSmtp["arrived"][number]) =>
        to === emailOf("forgetful") && email.text?.includes("/ui/password") === true;
      await until("the email arrives", () => smtp.arrived.some(isReset));
      await expectFailure(["reset-password", name, "--sms"], 1, /\(SMS_PROVIDER_MISSING\)\n$/);
      const unverified = await importUser(nameOf("unsure"), { email: emailOf("unsure") });
      await expectFailure(["reset-password", unverified], 1, /\(RECIPIENT_NOT_VERIFIED\)\n$/);
    });

    test("without a terminal, a change that ends sessions requires --yes, and nothing is changed", async () => {
      const name = nameOf("it's me");
      const id = await importUser(name, verified(emailOf("kept")));
      const rest = isServer ? ` --url ${server.origin} --token-file ${tokenFile}` : "";
      for (const args of [["erase"], ["deactivate"], ["lock"], ["sessions", "--end-all"], ["sessions", "--end", "x"]]) {
        const quoted = [...args, "--org", "default"].join(" ");
        await expectFailure(
          [...args, "--org", "default", name],
          2,
          `there is no terminal to confirm the change; to make it, run: signet user ${quoted} '${prefix}-it'\\''s me'${rest} --yes`,
        );
      }
      expect(await json("show", id)).toMatchObject({ user: { state: "USER_STATE_INITIAL" } });
    });
  });

  test("SIGNET_URL and SIGNET_TOKEN name the server, and the configuration of the service is not read", async () => {
    const environment = { SIGNET_URL: server.origin, SIGNET_TOKEN: token, DATABASE_URL: "none" };
    const { code, stdout } = await processes.runHere(["user", "list", "--json"], environment);
    expect(code).toBe(0);
    expect(JSON.parse(stdout).result).toContainEqual(expect.objectContaining({ userName: "admin" }));
  });

  test("what is wrong with the server or the token is reported in one line without the token", async () => {
    const secret = processes.secret("signet_pat_no-such-token");
    const file = join(processes.root, `${kind}-two-lines`);
    writeFileSync(file, `${secret}\n${secret}`);
    const outcome = (args: string[], environment = {}) => processes.runHere(["user", "list", ...args], environment);
    const url = ["--url", server.origin];
    const origin = "expected the origin of a server, such as https://id.example.com";
    const noToken =
      "--url and SIGNET_URL require a token, in --token-file or SIGNET_TOKEN; unset SIGNET_URL to use the database";
    for (const [args, environment, code, message] of [
      [url, {}, 2, noToken],
      [[], { SIGNET_URL: server.origin }, 2, noToken],
      [["--token-file", file], {}, 2, "--token-file requires --url or SIGNET_URL"],
      [[...url, "--token-file", file], {}, 2, "--token-file is invalid: expected one token"],
      [url, { SIGNET_TOKEN: `${secret} ${secret}` }, 2, "SIGNET_TOKEN is invalid: expected one token"],
      [["--url", "localhost"], { SIGNET_TOKEN: secret }, 2, `--url or SIGNET_URL is invalid: ${origin}`],
      [["--url", "ftp://localhost"], { SIGNET_TOKEN: secret }, 2, `--url or SIGNET_URL is invalid: ${origin}`],
      [["--url", `${server.origin}/x`], { SIGNET_TOKEN: secret }, 2, `--url or SIGNET_URL is invalid: ${origin}`],
      [url, { SIGNET_TOKEN: secret }, 1, /\(TOKEN_INVALID\)$/],
      [
        ["--url", "http://127.0.0.1:1"],
        { SIGNET_TOKEN: secret },
        1,
        /^cannot call http:\/\/127\.0\.0\.1:1: .*ECONNREFUSED/,
      ],
    ] as [string[], Record<string, string>, number, string | RegExp][]) {
      const { code: actual, stdout, stderr } = await outcome(args, environment);
      expect({ args, code: actual, stdout }).toEqual({ args, code, stdout: "" });
      const pattern = typeof message === "string" ? message : expect.stringMatching(message);
      expect(stderr.replace(/^signet: (.*)\n$/, "$1")).toEqual(pattern);
    }
    const missing = join(processes.root, "missing");
    expect(await outcome([...url, "--token-file", missing])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(missing),
    });
  });

  /** Of util-linux; it runs a command on a terminal. */
  const SCRIPT = "/usr/bin/script";
  const testOnTerminal = kind === "postgres" && existsSync(SCRIPT) ? test : test.skip;

  testOnTerminal.each([
    ["n", /nothing was changed/, "USER_STATE_INITIAL"],
    ["y", /locked/, "USER_STATE_LOCKED"],
  ])("on a terminal, the answer %s decides", async (answer, printed, state) => {
    const id = await importUser(`terminal-${answer}`, verified("terminal@example.com"));
    const bin = fileURLToPath(new URL("../../bin/signet.js", import.meta.url));
    const command = `${process.execPath} ${bin} user lock terminal-${answer}`;
    const env = { PATH: process.env.PATH, ...variables };
    const output = await new Promise<string>((resolve) => {
      const child = execFile(SCRIPT, ["-qec", command, "/dev/null"], { env, timeout: 300_000 }, (_error, stdout) =>
        resolve(stdout),
      );
      let seen = "";
      child.stdout?.on("data", (text) => {
        seen += text;
        if (seen.endsWith("[y/N] ")) child.stdin?.write(`${answer}\r`);
      });
    });
    expect(output).toContain(`Lock terminal-${answer} (${id}), and end all sessions of the user? [y/N] `);
    expect(output).toMatch(printed);
    expect(JSON.parse((await run("user", "show", id, "--json")).stdout).user.state).toBe(state);
  });
});
