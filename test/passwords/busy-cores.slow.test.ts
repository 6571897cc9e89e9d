import { type ChildProcess, spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import { human, IMPORT_PATH, send } from "../support/clients/send.ts";
import { createProcesses, readToken } from "../support/servers/process.ts";

const processes = createProcesses();
const others: ChildProcess[] = [];
afterAll(async () => {
  for (const other of others) other.kill("SIGKILL");
  await processes.close();
});

// At the lowest priority, a hash of 335 ms takes more than 40 s here, and its call fails with DEADLINE_EXCEEDED.
test("a password is hashed before the deadline while other processes keep every core busy", async () => {
  const { variables, tokenFile } = await processes.createInstallation("data");
  const service = await processes.serve({ ...variables, BCRYPT_COST: "12" });
  for (let count = 0; count < 2 * availableParallelism(); count++)
    others.push(spawn(process.execPath, ["-e", "for (;;);"], { stdio: "ignore" }));
  const call = { token: readToken(tokenFile), body: { ...human("ada"), password: "analytical engine" } };
  expect(await send(service.origin, "POST", IMPORT_PATH, call)).toMatchObject({ status: 200 });
});
