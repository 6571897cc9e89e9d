import type { Figure } from "./figure.ts";
import { runLoad } from "./processes.ts";
import type { Setting } from "./setting.ts";

const USERS = 1_000_000;
const PART = USERS / 10;

/** Imports a million users, to check whether the rate drops and whether memory grows. */
export async function measureMillion(setting: Setting, takeSerial: (count: number) => number): Promise<Figure[]> {
  const signet = await setting.startSignet();
  const before = await setting.countUsers();
  const rates: number[] = [];
  const memory: number[] = [];
  for (let part = 0; part < 10; part++) {
    const load = await runLoad({
      port: signet.port,
      tokens: [setting.token],
      operation: "import",
      form: "grpc",
      connections: 4,
      inFlight: 32,
      calls: PART,
      users: 1,
      firstNumber: takeSerial(PART),
    });
    rates.push(PART / load.seconds);
    memory.push(signet.memoryBytes() / 2 ** 20);
    console.error(
      `${(part + 1) * PART} users: ${Math.round(rates.at(-1) ?? 0)} imports/s, ${Math.round(memory.at(-1) ?? 0)} MiB`,
    );
  }
  await signet.stop();
  const stored = (await setting.countUsers()) - before;
  if (stored !== USERS) throw new Error(`${USERS} imports were acknowledged, but ${stored} users are stored`);
  const [first = 0, last = 0] = [rates[0], rates.at(-1)];
  return [
    { name: "a million imports, first tenth", value: first, unit: "calls/s", all: rates },
    { name: "a million imports, last tenth", value: last, unit: "calls/s" },
    { name: "a million imports: last tenth / first", value: last / first, unit: "×", rule: "at least", bound: 0.9 },
    { name: "memory after 100,000 imports", value: memory[0] ?? 0, unit: "MiB", all: memory },
    { name: "memory after 1,000,000 imports", value: memory.at(-1) ?? 0, unit: "MiB" },
    {
      name: "memory: after the million / after 100,000",
      value: (memory.at(-1) ?? 0) / (memory[0] ?? 1),
      unit: "×",
      rule: "at most",
      bound: 1.2,
    },
  ];
}
