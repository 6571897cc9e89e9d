import { createEmptyDatabase, type EmptyDatabase } from "../support/databases/empty-database.ts";
import { inRounds } from "../support/rounds.ts";
import { warmUp } from "./caller.ts";
import { type Measurement, measureAttack } from "./measure-attack.ts";
import { createTargetPlace, type Target, type TargetPlace } from "./target.ts";

/** The short form of `npm run attack`: what two seconds of the worst attacks must not do. Does not limit times. */
const WORST = [
  "hang-rest",
  "rapid-reset-page",
  "large-headers",
  "zero-window",
  "connect-and-close",
  "gzip-bombs-connect-valid",
  "saml-responses",
] as const;

const DURATIONS = { attackSeconds: 2, calmSeconds: 0.5, settleSeconds: 0 };
/** On a busy machine, the caller may need a longer attack for its calls. */
const LONGEST_ATTACK_SECONDS = 16;
const MIN_CALLS = 10;
/** An idle server uses 150 MB; each of these attacks has at some point caused more than this. */
const MAX_GROWTH_BYTES = 600e6;

describe("the server under attack", () => {
  let database: EmptyDatabase;
  let place: TargetPlace;
  let target: Target;
  let tokens: { caller: string; attacker: string };

  beforeAll(async () => {
    database = await createEmptyDatabase();
    place = createTargetPlace(database.url);
    target = await place.start("clear");
    tokens = await place.createTokens();
  });
  // An attack that crashed or hung the server must not fail the tests after it.
  beforeEach(async () => {
    if (await target.isHealthy(5_000)) return;
    await target.stop();
    target = await place.start("clear");
  });
  afterAll(async () => {
    await target?.stop();
    place?.close();
    await database?.drop();
  });

  async function survive(attack: string, attackSeconds: number): Promise<Measurement> {
    await warmUp({ port: target.port, certificate: undefined, token: tokens.caller }, 200);
    const measured = await measureAttack({
      ...{ target, tokens, localAddress: "127.0.0.2" },
      round: { title: attack, attack, setup: "clear", isNeighbor: false },
      durations: { ...DURATIONS, attackSeconds },
    });
    const { during, isAlive, isHealthy } = measured;
    if (!isAlive || !isHealthy) return measured;
    const hasEnoughCalls = during.calls > MIN_CALLS || attackSeconds >= LONGEST_ATTACK_SECONDS;
    return hasEnoughCalls ? measured : survive(attack, 2 * attackSeconds);
  }

  /** Whether there is nothing to repeat: no call has failed, or the server has died or hangs, which is no accident. */
  const isOver = ({ before, during, after, isAlive, isHealthy }: Measurement) =>
    !isAlive || !isHealthy || [before, during, after].every(({ failed }) => failed === 0);

  test.each(WORST)("survives %s, and other callers are not affected", async (attack) => {
    // On a busy machine, a call can miss its deadline.
    const measured = await inRounds(() => survive(attack, DURATIONS.attackSeconds), isOver);
    const { before, during, after, memory, isAlive, isHealthy } = measured;
    const failures = [before, during, after].map(({ firstFailure }) => firstFailure);
    expect({ isAlive, isHealthy, failures }).toEqual({
      isAlive: true,
      isHealthy: true,
      failures: [undefined, undefined, undefined],
    });
    expect(during.calls).toBeGreaterThan(MIN_CALLS);
    expect(memory.peak - memory.before).toBeLessThan(MAX_GROWTH_BYTES);
  });
});
