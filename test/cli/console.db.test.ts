import { CONSOLE_APP_ID } from "../../src/apps/console-app.ts";
import { createProcesses } from "../support/servers/process.ts";
import { createSignetCommands, type SignetCommands } from "./signet-commands.ts";

const processes = createProcesses();
let commands: SignetCommands;
let variables: Record<string, string>;
beforeAll(async () => {
  ({ variables } = await processes.createInstallation("console"));
  await processes.serve(variables);
  commands = createSignetCommands(processes.runHere, variables);
});
afterAll(() => processes.close());

const stateOfApp = async () => (await commands.json("app", "show", CONSOLE_APP_ID)).state;

test("the console is disabled and enabled again, and doing so twice changes nothing more", async () => {
  for (let time = 0; time < 2; time++) expect(await commands.json("console", "disable")).toEqual({ enabled: false });
  expect(await stateOfApp()).toBe("inactive");
  for (let time = 0; time < 2; time++) {
    expect(await commands.signet("console", "enable")).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^the console is enabled: http\S+\/console\n$/),
    });
  }
  expect(await stateOfApp()).toBe("active");
});

test("its application cannot be removed", async () => {
  await commands.expectFailure(
    ["app", "remove", CONSOLE_APP_ID],
    "the application of the console cannot be removed; use `signet console disable`",
  );
});
