import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { availableParallelism } from "node:os";
import { human, IMPORT_PATH, send } from "../support/clients/send.ts";
import { inRounds } from "../support/rounds.ts";
import { createProcesses, readToken } from "../support/servers/process.ts";

const processes = createProcesses();
const others: ChildProcess[] = [];
afterAll(async () => {
  for (const other of others) other.kill("SIGKILL");
  await processes.close();
});

const COST = 12;
/** Hashes a password with half the rounds when it reads something. */
const HALF = `
  import { hashSync } from "bcryptjs";
  process.stdin.once("data", () => process.stdout.write(hashSync("analytical engine", ${COST - 1})));
  process.stdout.write("ready");`;

/** Whether a hash of the server ends before one at the lowest priority with half the rounds. Both start now. */
const endsFirst = async (imports: () => Promise<unknown>) => {
  const node = [process.execPath, "--input-type=module", "--eval", HALF];
  const lowest = spawn("nice", ["-n", "19", ...node], { stdio: ["pipe", "pipe", "inherit"] });
  others.push(lowest);
  await once(lowest.stdout, "data");
  const imported = imports().then(() => true);
  lowest.stdin.write("now");
  const first = await Promise.race([imported, once(lowest.stdout, "data").then(() => false)]);
  await imported;
  lowest.kill("SIGKILL");
  return first;
};

// A core that two other processes keep busy leaves a hash a tenth of its time, and at the lowest priority a 137th.
// Processes that are not of this test can fill one core more than the other, and slow down one of both hashes.
test("while other processes keep every core busy, a hash ends before one at the lowest priority with half the rounds", async () => {
  const { variables, tokenFile } = await processes.createInstallation("data");
  const service = await processes.serve({ ...variables, BCRYPT_COST: `${COST}`, REQUEST_TIMEOUT_MS: "300000" });
  const token = readToken(tokenFile);
  for (let count = 0; count < 2 * availableParallelism(); count++)
    others.push(spawn(process.execPath, ["-e", "for (;;);"], { stdio: "ignore" }));
  const importFirst = (round: number) =>
    endsFirst(async () => {
      const body = { ...human(`ada${round}`), password: "analytical engine" };
      expect(await send(service.origin, "POST", IMPORT_PATH, { token, body })).toMatchObject({ status: 200 });
    });
  expect(await inRounds(importFirst, (isFirst) => isFirst)).toBe(true);
});
