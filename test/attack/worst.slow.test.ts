import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { createEmptyDatabase, type EmptyDatabase } from "../support/process.ts";
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
] as const;

const DURATIONS = { attackSeconds: 2, calmSeconds: 0.5, settleSeconds: 0 };
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

  async function survive(attack: string): Promise<Measurement> {
    await warmUp({ port: target.port, certificate: undefined, token: tokens.caller }, 200);
    const round = { title: attack, attack, setup: "clear" } as const;
    return measureAttack({ target, round, tokens, durations: DURATIONS, localAddress: "127.0.0.2" });
  }

  test.each(WORST)("survives %s, and other callers are not affected", async (attack) => {
    const { before, during, after, memory, isAlive, isHealthy } = await survive(attack);
    const failures = [before, during, after].map(({ firstFailure }) => firstFailure);
    expect({ isAlive, isHealthy, failures }).toEqual({
      isAlive: true,
      isHealthy: true,
      failures: [undefined, undefined, undefined],
    });
    // On a slow machine, the attacker's own CPU use leaves the caller time for about forty calls.
    expect(during.calls).toBeGreaterThan(10);
    expect(memory.peak - memory.before).toBeLessThan(MAX_GROWTH_BYTES);
  });
});
