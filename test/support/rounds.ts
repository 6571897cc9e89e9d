const ROUNDS = 3;

/**
 * Repeats what other programs on the machine can spoil, but rarely in each of several rounds.
 *
 * @param run Gets the number of the round, from 1.
 * @returns The first good result, or else the last one.
 */
export async function inRounds<Result>(
  run: (round: number) => Promise<Result>,
  isGood: (result: Result) => boolean,
): Promise<Result> {
  let result = await run(1);
  for (let round = 2; round <= ROUNDS && !isGood(result); round++) result = await run(round);
  return result;
}
