import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createToken } from "../../src/access/create-token.ts";
import { connect } from "../../src/database/connection.ts";
import { createProcesses, type Ended } from "../support/servers/process.ts";
import { createSignetCommands } from "./signet-commands.ts";

/** Sets the title of the window (C0), changes the color (C1), and reverses what follows (bidirectional). */
const EVIL = "\u001b]0;x\u0007\u009b31m\u202egnp\u2066";
const ESCAPED = "\\u001b]0;x\\u0007\\u009b31m\\u202egnp\\u2066";
/** Everything but line feeds. */
const CONTROL = /(?!\n)\p{Cc}|[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u;

const HASH = "$2a$04$zVHmKQtGGQob.b/Nc7l9NO8UlrYcW05FiuCj/SxsFO/ZtiN9.mNzy";

const processes = createProcesses();
afterAll(() => processes.close());

let variables: Record<string, string>;
let address: Parameters<typeof connect>[0];
beforeAll(async () => {
  ({ variables, address } = await processes.createInstallation("printable"));
  await processes.serve(variables);
});

function expectInert({ stdout, stderr }: Ended): void {
  expect(CONTROL.exec(stdout + stderr)).toBeNull();
}

test("names that are stored are printed without controlling the terminal, and JSON has the same value", async () => {
  const { signet, json } = createSignetCommands(processes.runHere, variables);
  const { id: orgId } = await json("org", "create", "Target");
  const userId = await json(
    "user",
    "import-one",
    "--first-name",
    "Ada",
    "--last-name",
    "L",
    "--email",
    "a@example.com",
  );
  const db = connect(address, 1, () => {});
  try {
    // Names of an earlier version, or of another program, may be any.
    await db.updateTable("orgs").set({ name: EVIL }).where("id", "=", orgId).execute();
    await db.updateTable("users").set({ display_name: EVIL, user_name: EVIL }).execute();
    const [user] = await db.selectFrom("users").select(["id", "org_id as orgId"]).execute();
    if (user !== undefined) await createToken({ db, clock: () => new Date() }, user, null);
  } finally {
    await db.destroy();
  }
  for (const command of [
    ["org", "list"],
    ["user", "list"],
    ["user", "show", userId.userId],
    ["member", "list"],
    ["token", "list"],
    ["events", "tail", "--limit", "50"],
    ["users", "export"],
  ]) {
    const outcome = await signet(...command);
    expect([command, outcome.code, outcome.stderr.replace(/^exported.*\n/, "")]).toEqual([command, 0, ""]);
    expectInert(outcome);
    if (command[0] !== "events") expect([command, outcome.stdout]).toEqual([command, expect.stringContaining(ESCAPED)]);
  }
  const outcome = await signet("org", "list", "--json");
  expectInert(outcome);
  expect(JSON.parse(outcome.stdout)).toContainEqual(expect.objectContaining({ name: EVIL }));
});

test.each([
  ["an unknown user", ["user", "show", `nobody${EVIL}\n`]],
  ["an unknown option", ["user", "list", `--${EVIL}`]],
  ["an invalid option", ["member", "add", "admin", "--role", EVIL]],
])("an error about %s is one line without control characters", async (_what, args) => {
  const outcome = await processes.runHere(args, variables);
  expect(outcome.code).not.toBe(0);
  expectInert(outcome);
  expect(outcome.stderr.split("\n")[0]).toContain("\\u001b");
});

test.each([
  [
    "signet",
    "export.ndjson",
    JSON.stringify({
      ...{ id: "=cmd()", userName: "ada", firstName: "Ada", lastName: "L", email: "ada@example.com" },
      emailVerified: true,
      metadata: { [EVIL]: "gold" },
      [EVIL]: "lost",
      idps: [{ idp: EVIL, externalUserId: "x" }],
    }),
  ],
  ["csv", "export.csv", `id,email,first_name,last_name,"${EVIL}"\n1,ada@example.com,Ada,L,gold`],
])("the preview of %s shows names in the file without controlling the terminal", async (from, name, text) => {
  const folder = join(processes.root, `files-${from}`);
  mkdirSync(folder);
  const file = join(folder, `${name.replace(".", "\u009b.")}`);
  writeFileSync(file, `${text}\n`);
  const args = ["users", "import", file, "--from", from, "--dry-run", "--runs", join(folder, "runs")];
  const outcome = await processes.runHere(args, variables);
  expect(outcome.stderr).toContain(ESCAPED);
  expectInert(outcome);
});

test("ids.csv has ids that look like formulas as text", async () => {
  const folder = join(processes.root, "formulas");
  mkdirSync(folder);
  const file = join(folder, "export.ndjson");
  const ids = ["=1+1", "+41", "-N3x", "@SUM(A1)", "plain", 'a"b', '="x"'];
  const lines = ids.map((id, n) => ({
    ...{ id, userName: `formula-${n}`, firstName: "Ada", lastName: "L" },
    ...{ email: `formula-${n}@example.com`, emailVerified: true, passwordHash: HASH },
  }));
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  const runs = join(folder, "runs");
  const args = ["users", "import", file, "--from", "signet", "--runs", runs, "--messages", "none", "--yes"];
  expect(await processes.runHere(args, variables)).toMatchObject({ code: 0 });
  const written = readFileSync(join(runs, readdirSync(runs)[0] ?? "", "ids.csv"), "utf8");
  const cells = written.split("\n").map((line) => line.slice(0, line.lastIndexOf(",")));
  expect(cells.slice(1, -1).sort()).toEqual(
    ["'=1+1", "'+41", "'-N3x", "'@SUM(A1)", "plain", '"a""b"', '"\'=""x"""'].sort(),
  );
});
