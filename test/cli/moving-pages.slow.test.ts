import { globSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type MovingPage, PAGES, PASSWORD } from "../moving/pages.ts";
import { createPerson } from "../support/browsers/person.ts";
import { VISITED } from "../support/browsers/visitor.ts";
import { send } from "../support/clients/send.ts";
import { runStatement } from "../support/databases/postgres.ts";
import { createProcesses, type Installation, readToken, type TestServer } from "../support/servers/process.ts";
import { describeInTerminal, runInTerminal, type Terminal } from "../support/terminals/terminal.ts";

const REPOSITORY = fileURLToPath(new URL("../..", import.meta.url));

/** The blocks of shell commands of a Markdown page. */
function readBlocks(page: string): string[] {
  return [...readFileSync(join(REPOSITORY, page), "utf8").matchAll(/^ *```sh\n([\s\S]*?)^ *```/gm)].map(
    ([, block = ""]) => block,
  );
}

const NAMES = globSync("docs/moving/*.md", { cwd: REPOSITORY }).map((path) => path.slice("docs/moving/".length, -3));

describeInTerminal("the commands of docs/moving.md and of the pages in docs/moving, in a terminal", () => {
  const processes = createProcesses();
  const terminals: Terminal[] = [];
  let installation: Installation;
  let server: TestServer;
  let token: string;
  let acmeOrgId: string;
  let idps: Record<string, string>;
  let elsewhere: Server;
  let responses: NonNullable<MovingPage["responses"]> = {};

  beforeAll(async () => {
    processes.secret(PASSWORD);
    installation = await processes.createInstallation("moving-pages");
    server = await processes.serve({ ...installation.variables, ...VISITED, PASSKEY_OFFER: "never" });
    token = readToken(installation.tokenFile);
    acmeOrgId = (await call("POST", "/management/v1/orgs", { name: "Acme" })).id;
    await call("POST", "/management/v1/orgs", { name: "Example" });
    idps = {
      GOOGLE_IDP_ID: await addIdp("Google"),
      MICROSOFT_IDP_ID: await addIdp("Microsoft"),
      GITHUB_IDP_ID: await addIdp("GitHub", acmeOrgId),
    };
    elsewhere = await startElsewhere();
  });
  afterAll(async () => {
    for (const terminal of terminals) terminal.kill();
    elsewhere?.close();
    await processes.close();
  });

  async function call(method: string, path: string, body: object, orgId?: string) {
    const headers = orgId === undefined ? {} : { "x-service-orgid": orgId };
    const response = await send(server.origin, method, path, { token, body, headers });
    expect([path, response.status, response.body]).toEqual([path, 200, expect.anything()]);
    return response.body;
  }

  async function addIdp(name: string, orgId?: string): Promise<string> {
    const fields = { name, issuer: `https://${name.toLowerCase()}.example.com`, clientId: "signet", clientSecret: "x" };
    return (await call("POST", "/management/v1/idps/oidc", fields, orgId)).idpId;
  }

  /** The API of the earlier system, which responds to the requests of a page and to nothing else. */
  async function startElsewhere(): Promise<Server> {
    const started = createServer((request, response) => {
      const found = responses[request.url ?? ""];
      response.writeHead(found === undefined ? 404 : 200, {
        "content-type": "application/json",
        ...(found?.link === undefined ? {} : { link: found.link }),
      });
      response.end(JSON.stringify(found?.body ?? { error: "not found" }));
    });
    await new Promise<void>((resolve) => started.listen(0, "127.0.0.1", resolve));
    return started;
  }

  /** A folder in which `npx signet` and `signet` are this version. */
  function createFolder(name: string): string {
    const folder = join(processes.root, name);
    const programs = join(folder, "node_modules/.bin");
    mkdirSync(programs, { recursive: true });
    symlinkSync(join(REPOSITORY, "bin/signet.js"), join(programs, "signet"));
    return folder;
  }

  /** Runs a block as it stands, but for addresses and names that are examples. Returns what the terminal showed. */
  async function run(folder: string, block: string, variables: Readonly<Record<string, string>>): Promise<string> {
    const origin = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`;
    const commands = block
      .replaceAll("https://id.example.com", server.origin)
      .replaceAll("https://api.workos.com", origin);
    const env = {
      ...{ HOME: folder, npm_config_offline: "true", npm_config_update_notifier: "false" },
      PATH: `${dirname(process.execPath)}:${join(folder, "node_modules/.bin")}:${process.env.PATH}`,
      ...{ ...installation.variables, BCRYPT_COST: "4", HASH_THREADS: "1" },
      ...{
        KRATOS_ADMIN_URL: origin,
        OKTA_URL: origin,
        FUSIONAUTH_URL: origin,
        ZITADEL_URL: origin,
        ZITADEL_TOKEN: "x",
        WORKOS_API_KEY: "x",
      },
      ...{ ...idps, ACME_ORG_ID: acmeOrgId, ...variables },
    };
    const answer = block.includes("password check") ? PASSWORD : "y";
    const terminal = runInTerminal(["bash", "-euo", "pipefail", "-c", commands], { cwd: folder, env, answer });
    terminals.push(terminal);
    const code = await terminal.ended;
    expect({ commands, code, output: code === 0 ? "" : terminal.output() }).toEqual({ commands, code: 0, output: "" });
    return terminal.output();
  }

  const onServer = () => ({ SIGNET_URL: server.origin, SIGNET_TOKEN: token });

  test("each page has its users", () => {
    expect(NAMES.toSorted()).toEqual(Object.keys(PAGES).toSorted());
  });

  test.each(NAMES)("docs/moving/%s.md: its users arrive, and sign in with their passwords", async (name) => {
    const page = PAGES[name] ?? { users: {} };
    const { variables, files = {}, database, skipped = {}, users } = page;
    const folder = createFolder(name);
    writeFileSync(join(folder, "admin.token"), token);
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    const ofPage: Record<string, string> = { ...onServer(), ...variables };
    if (database !== undefined) {
      const { url } = await processes.createDatabase();
      await runStatement(url, database.statements);
      ofPage[database.variable] = url;
    }
    responses = page.responses ?? {};

    const found: string[] = [];
    for (const block of readBlocks(`docs/moving/${name}.md`)) {
      const reason = Object.keys(skipped).find((text) => block.includes(text));
      if (reason !== undefined) found.push(reason);
      // This command runs on Signet's database.
      else await run(folder, block, block.includes("password check") ? {} : ofPage);
    }
    expect(found).toEqual(Object.keys(skipped));

    const orgId = name === "zitadel" ? acmeOrgId : undefined;
    const { result } = await call("POST", "/management/v1/users/_search", { query: { limit: 1_000 } }, orgId);
    const names = result.map(({ userName }: { userName: string }) => userName);
    expect(names).toEqual(expect.arrayContaining(Object.keys(users)));
    for (const [username, password] of Object.entries(users)) {
      if (password === undefined || orgId !== undefined) continue;
      const service = { origin: server.origin, config: { publicUrl: "http://localhost:8080" }, responses: [] };
      const person = createPerson(service);
      const signedIn = await person.submit(await person.open("/ui/account"), { username, password });
      expect([username, signedIn.title]).toEqual([username, "Your account"]);
    }
  });

  test("docs/moving.md: a preview, an import, an update, its undo, and an export", async () => {
    const folder = createFolder("moving");
    writeFileSync(join(folder, "admin.token"), token);
    const [preview = "", update = "", undo = "", exporting = "", ...others] = readBlocks("docs/moving.md");
    expect(others).toEqual([]);
    const user = { user_id: "auth0|1", email: "moving@example.com", email_verified: true };
    const writeExport = (given_name: string) =>
      writeFileSync(
        join(folder, "users.ndjson"),
        `${JSON.stringify({ ...user, given_name, family_name: "Lovelace" })}\n`,
      );
    writeExport("Ada");
    expect(await run(folder, preview, {})).toContain("dry run: nothing was changed");
    const imported = await run(folder, preview.replace(" --dry-run", ""), {});
    expect(imported).toContain("complete: 1 users imported");
    const [, runName = ""] = /undo: signet users undo (\S+)/.exec(imported) ?? [];
    writeExport("Augusta");
    expect(await run(folder, update, {})).toContain("Augusta");
    await run(folder, exporting, {});
    expect(readFileSync(join(folder, "example.ndjson"), "utf8")).toContain("moving@example.com");
    const example = /undo (auth0-[0-9a-f]{12})/.exec(undo)?.[1] ?? "";
    expect(await run(folder, undo.replace(example, runName), {})).toContain("Remove 1 users");
  });
});
