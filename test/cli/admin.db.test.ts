import { createPerson } from "../support/browsers/person.ts";
import type { DatabaseKind } from "../support/databases/database.ts";
import { freePort } from "../support/free-port.ts";
import { createProcesses } from "../support/servers/process.ts";
import { createSignetCommands } from "./signet-commands.ts";

const LINK = /^ {2}(http:\S+\/ui\/first-administrator\?code=\S+)$/m;
const PASSWORD = "analytical engine no. 1";

const processes = createProcesses();
afterAll(() => processes.close());

test.each<DatabaseKind>(["postgres", "embedded"])(
  "on %s, each start and the command print a link, also without a token, until an administrator has signed in",
  async (kind) => {
    const { variables: own } = await processes.createInstallation(`admin-${kind}`, kind);
    const port = String(await freePort());
    const publicUrl = `http://localhost:${port}`;
    const variables = { ...own, PORT: port, PUBLIC_URL: publicUrl, CREATE_ADMIN_TOKEN: "false", BCRYPT_COST: "4" };
    const commands = createSignetCommands(processes.runHere, variables);
    const first = await processes.serve(variables);
    const links = [LINK.exec(first.stdout())?.[1]];
    expect(await first.stop()).toMatchObject({ code: 0 });
    const second = await processes.serve(variables);
    links.push(LINK.exec(second.stdout())?.[1]);
    const { code, stdout } = await commands.signet("admin", "link");
    expect(code).toBe(0);
    links.push(stdout.trim(), (await commands.json("admin", "link")).link);
    expect(links.map((link) => link?.startsWith(`${publicUrl}/ui/first-administrator?code=`))).toEqual(
      links.map(() => true),
    );
    expect(new Set(links).size).toBe(links.length);

    const person = createPerson({ origin: publicUrl, config: { publicUrl }, responses: [] });
    for (const link of links) expect((await person.open(link ?? "")).status).toBe(200);
    const page = await person.submit(await person.open(links[0] ?? ""), {
      firstName: "Grace",
      lastName: "Hopper",
      email: "grace@example.com",
      password: processes.secret(PASSWORD),
      repeat: PASSWORD,
    });
    // Passkeys are offered first.
    expect((await person.submit(page, { do: "later" })).url.pathname).toBe("/console");

    await commands.expectFailure(
      ["admin", "link"],
      "there is an administrator already; to give a role to a user, use `signet member add`",
    );
    expect(await second.stop()).toMatchObject({ code: 0 });
    const third = await processes.serve(variables);
    expect(third.stdout()).not.toContain("/ui/first-administrator");
    await third.stop();
  },
);
