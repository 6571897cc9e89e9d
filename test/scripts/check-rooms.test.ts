import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** Files of a small tree, by path, with their text. */
type Tree = Readonly<Record<string, string>>;

/** A tree that follows the rule with every form of import. */
const SOUND: Tree = {
  "src/main.ts": 'import "../package.json" with { type: "json" };\nimport "./cli/serve.ts";',
  "src/cli/serve.ts": 'import { open, type Port } from "../rpc/port.ts";\nimport "../users/add-user.ts";',
  "src/rpc/port.ts":
    'export type { Port } from "./protocol.ts";\nexport const open = () => import("../access/roles.ts");',
  "src/rpc/protocol.ts":
    'import "@bufbuild/protobuf";\nexport interface Port { role: import("../access/roles.ts").Role }\nexport * from "../../gen/signet/v1/user_pb.js";',
  "src/rpcs.ts": 'import "../gen/signet/v1/management_pb.js";',
  "src/web/reference.ts": 'new URL("../../gen/openapi.json", import.meta.url);',
  "src/access/roles.ts": "export type Role = string;",
  "src/users/add-user.ts": 'import { isName } from "../fields/name.ts";\nimport "../messages/outbox.ts";',
  "src/idps/add-idp.ts": 'import "../events/append.ts";',
  "src/fields/name.ts":
    'import "../errors.ts";\n// import "../cli/serve.ts"\nexport const isName = \'import "../cli/serve.ts"\';',
  "src/messages/outbox.ts": 'import "../crypto/keys.ts";',
  "src/events/append.ts": 'import "../database/connect.ts";',
  "src/crypto/keys.ts": 'import "../files.ts";',
  "src/database/connect.ts": 'new URL("./worker.ts", import.meta.url);\nimport "node:path";\nimport "kysely";',
  "src/database/worker.ts": "",
  "src/config.ts": 'import "./errors.ts";',
  "src/errors.ts": "",
  "src/call.ts": "",
  "src/files.ts": "",
};

test("files that follow the rule pass, and their number is printed", () => {
  expect(check(SOUND)).toEqual({ code: 0, breaches: [], printed: "no violations in 19 files" });
});

test("the source of Signet follows the rule", () => {
  expect(run(process.cwd())).toMatchObject({ code: 0, breaches: [] });
});

describe("a violation is found and reported", () => {
  const cases: readonly { title: string; tree: Tree; breaches: readonly string[] }[] = [
    {
      title: "an operation imports a message or an enum",
      tree: { "src/users/add-user.ts": 'import type { UserState } from "../../gen/signet/v1/user_pb.js";' },
      breaches: ["src/users/add-user.ts imports gen/signet/v1/user_pb.js: only rpc knows messages"],
    },
    {
      title: "the console imports code of the server, and its own and generated code",
      tree: {
        "console/main.tsx":
          'import "./page.tsx";\nimport "../gen/signet/v1/user_pb.js";\nimport "../src/errors.ts";\nexport const page = <p />;',
      },
      breaches: ["console/main.tsx imports src/errors.ts: the console runs in the browser"],
    },
    {
      title: "the console uses a part of the import that needs Node, in a file that it imports",
      tree: {
        "console/main.tsx": 'import "../src/moving/read-file.ts";\nimport type { Keys } from "../src/moving/keys.ts";',
        "src/moving/read-file.ts":
          'import "@streamparser/json";\nimport type { Keys } from "./keys.ts";\nimport "../files.ts";',
        "src/moving/keys.ts": 'import "node:crypto";',
        "src/files.ts": 'import "node:fs";',
      },
      breaches: ["src/files.ts imports node:fs: the console, which runs in the browser, uses it"],
    },
    {
      title: "a room of the console imports from a room above",
      tree: {
        "console/screens/users/users-page.tsx": 'import "../../parts/page.tsx";',
        "console/parts/page.tsx": 'import type { User } from "../screens/users/users-page.tsx";',
      },
      breaches: [
        "console/parts/page.tsx imports console/screens/users/users-page.tsx: parts is below screens/users",
        "cycle: console/parts/page.tsx → console/screens/users/users-page.tsx → console/parts/page.tsx",
      ],
    },
    {
      title: "a room of the console that nobody planned",
      tree: { "console/utilities/page.tsx": "" },
      breaches: ["console/utilities/page.tsx: is in an unknown room"],
    },
    {
      title: "a file imports from the part of its room that is above it",
      tree: {
        "src/cli/commands/serve.ts": 'import "../serve.ts";',
        "src/cli/read.ts": 'import "./commands/serve.ts";',
      },
      breaches: ["src/cli/read.ts imports src/cli/commands/serve.ts: the rest is below commands"],
    },
    {
      title: "a file of a folder in a room imports from a folder above it, and from one beside it",
      tree: {
        "src/web/sign-in/first-page/page.ts": 'import "../provider/idp.ts";',
        "src/web/sign-in/provider/idp.ts": 'import "../code/code.ts";',
        "src/web/sign-in/code/code.ts": "",
      },
      breaches: [
        "src/web/sign-in/first-page/page.ts imports src/web/sign-in/provider/idp.ts: first-page is below provider",
        "src/web/sign-in/provider/idp.ts imports src/web/sign-in/code/code.ts: provider and code are on the same level",
      ],
    },
    {
      title: "a room imports protobuf",
      tree: { "src/users/add-user.ts": 'export const load = () => import("@bufbuild/protobuf/wkt");' },
      breaches: ["src/users/add-user.ts imports @bufbuild/protobuf/wkt: only rpc knows messages"],
    },
    {
      title: "a room that does not serve the document imports it",
      tree: { "src/users/add-user.ts": 'new URL("../../gen/openapi.json", import.meta.url);' },
      breaches: ["src/users/add-user.ts imports gen/openapi.json: only rpc knows messages"],
    },
    {
      title: "a room imports from a room above",
      tree: { "src/events/append.ts": 'import "../users/add-user.ts";' },
      breaches: ["src/events/append.ts imports src/users/add-user.ts: events is below users"],
    },
    {
      title: "a room imports a type from a room above",
      tree: { "src/database/worker.ts": 'import type { Key } from "../crypto/keys.ts";' },
      breaches: ["src/database/worker.ts imports src/crypto/keys.ts: database is below crypto"],
    },
    {
      title: "a room re-exports from a room above",
      tree: { "src/fields/name.ts": 'export { add } from "../users/add-user.ts";\nexport const isName = 1;' },
      breaches: ["src/fields/name.ts imports src/users/add-user.ts: fields is below users"],
    },
    {
      title: "a room re-exports everything from a room above",
      tree: { "src/fields/name.ts": 'export * from "../messages/outbox.ts";\nexport const isName = 1;' },
      breaches: ["src/fields/name.ts imports src/messages/outbox.ts: fields is below messages"],
    },
    {
      title: "a room imports from a room above while it runs",
      tree: { "src/access/roles.ts": 'export const load = async () => await import("../rpc/port.ts");' },
      breaches: ["src/access/roles.ts imports src/rpc/port.ts: access is below rpc"],
    },
    {
      title: "a type in a room names one of a room above",
      tree: { "src/access/roles.ts": 'export type Role = import("../cli/serve.ts").Role;' },
      breaches: ["src/access/roles.ts imports src/cli/serve.ts: access is below cli"],
    },
    {
      title: "a room starts a thread of a room above",
      tree: { "src/database/connect.ts": 'new Worker(new URL("../crypto/keys.ts", import.meta.url));' },
      breaches: ["src/database/connect.ts imports src/crypto/keys.ts: database is below crypto"],
    },
    {
      title: "rooms that lie side by side",
      tree: { "src/users/add-user.ts": 'import "../idps/add-idp.ts";' },
      breaches: ["src/users/add-user.ts imports src/idps/add-idp.ts: users and idps are on the same level"],
    },
    {
      title: "a room imports main.ts",
      tree: { "src/cli/serve.ts": 'import "../main.ts";', "src/main.ts": "" },
      breaches: ["src/cli/serve.ts imports src/main.ts: cli is below main.ts"],
    },
    {
      title: "a file for all imports a room",
      tree: { "src/errors.ts": 'import "./database/connect.ts";' },
      breaches: ["src/errors.ts imports src/database/connect.ts: a common file must not import a room"],
    },
    {
      title: "files for all import each other in a circle",
      tree: { "src/errors.ts": 'import "./config.ts";' },
      breaches: ["cycle: src/config.ts → src/errors.ts → src/config.ts"],
    },
    {
      title: "files of one room import each other in a circle",
      tree: {
        "src/users/add-user.ts": 'import "./a.ts";',
        "src/users/a.ts": 'import type { B } from "./b.ts";',
        "src/users/b.ts": 'import "./add-user.ts";',
      },
      breaches: ["cycle: src/users/a.ts → src/users/b.ts → src/users/add-user.ts → src/users/a.ts"],
    },
    {
      title: "a file imports itself",
      tree: { "src/call.ts": 'import "./call.ts";' },
      breaches: ["cycle: src/call.ts → src/call.ts"],
    },
    {
      title: "the source imports a test",
      tree: { "src/cli/serve.ts": 'import "../../test/support/service.ts";' },
      breaches: ["src/cli/serve.ts imports test/support/service.ts: is outside of src and gen"],
    },
    {
      title: "a room imports package.json",
      tree: { "src/cli/serve.ts": 'import "../../package.json" with { type: "json" };' },
      breaches: ["src/cli/serve.ts imports package.json: only main.ts may import it"],
    },
    {
      title: "a room that nobody planned",
      tree: { "src/utilities/sort.ts": "" },
      breaches: ["src/utilities/sort.ts: is in an unknown room"],
    },
    {
      title: "an import that cannot be followed",
      tree: { "src/cli/serve.ts": "export const load = (path: string) => import(path);" },
      breaches: ["src/cli/serve.ts: the target of import() must be a literal"],
    },
    {
      title: "an export that no other file imports, and some that tests, types or whole files use",
      tree: {
        "src/call.ts": "export interface Call {}\nexport const calls: Call[] = [], ends = 1;\nexport function end() {}",
        "src/clock.ts": "export class Clock {}",
        "src/config.ts":
          'import { type calls as made } from "./call.ts";\nexport type Time = import("./clock.ts").Clock;',
        "test/call.test.ts": 'import { ends } from "../src/call.ts";\nimport * as config from "../src/config.ts";',
        "console/main.tsx": "export const page = 1;",
      },
      breaches: [
        "src/call.ts exports Call: no other file imports it",
        "src/call.ts exports end: no other file imports it",
        "console/main.tsx exports page: no other file imports it",
      ],
    },
    {
      title: "two breaches at once",
      tree: { "src/files.ts": 'import "./cli/serve.ts";', "src/orgs/org.ts": 'import "../access/roles.ts";' },
      breaches: [
        "src/files.ts imports src/cli/serve.ts: a common file must not import a room",
        "src/orgs/org.ts imports src/access/roles.ts: orgs is below access",
      ],
    },
  ];

  test.each(cases)("$title", ({ tree, breaches }) => {
    const found = check({ ...SOUND, ...tree });
    expect(found.code).toBe(1);
    // A violation may also close a cycle, or leave an export without an importer; both have separate cases.
    const others = [/^cycle/, / exports /].filter((other) => !breaches.some((breach) => other.test(breach)));
    expect(found.breaches.filter((breach) => !others.some((other) => other.test(breach)))).toEqual(breaches);
  });

  test("a folder without any files", () => {
    const { code, breaches } = check({ "src/readme.md": "" });
    expect({ code, breaches }).toEqual({ code: 1, breaches: [expect.stringMatching(/src contains no files$/)] });
  });
});

function check(tree: Tree) {
  const folder = mkdtempSync(join(tmpdir(), "signet-rooms-"));
  try {
    for (const [path, text] of Object.entries(tree)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    return run(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function run(folder: string) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ["scripts/check-rooms.js", folder], {
    encoding: "utf8",
  });
  return { code: status, breaches: stderr.split("\n").filter((line) => line !== ""), printed: stdout.trim() };
}
