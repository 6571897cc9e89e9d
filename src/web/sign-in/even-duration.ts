import { setTimeout as delay } from "node:timers/promises";

/** The minimum duration, which is longer than one of these steps takes. */
const SHORTEST_MS = 250;

/** Waits for a step whose duration must not reveal what it has found. */
export async function evenly<Result>(step: Promise<Result>): Promise<Result> {
  const [result] = await Promise.all([step, delay(SHORTEST_MS)]);
  return result;
}
