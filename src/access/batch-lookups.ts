/**
 * Batches same-tick lookups; identical keys share one result.
 *
 * The lookup starts after the current tick, so no result is older than its question. Nothing is cached. A failed lookup
 * rejects all questions of its batch.
 *
 * With 32 calls in flight this saves a fifth of the server's CPU time per call (docs/performance.md).
 *
 * @param lookUp Resolves to one result per question, in the same order.
 * @param toKey Returns equal keys for identical questions.
 */
export function batchLookups<Question, Result>(
  lookUp: (questions: readonly Question[]) => Promise<readonly Result[]>,
  toKey: (question: Question) => string,
): (question: Question) => Promise<Result> {
  let pending = new Map<string, Question>();
  let results: Promise<ReadonlyMap<string, Result>> | undefined;

  async function runBatch(): Promise<ReadonlyMap<string, Result>> {
    await new Promise((resolve) => setImmediate(resolve));
    const [keys, questions] = [[...pending.keys()], [...pending.values()]];
    pending = new Map();
    results = undefined;
    const found = await lookUp(questions);
    return new Map(keys.map((key, index) => [key, found[index] as Result]));
  }

  return async (question) => {
    const key = toKey(question);
    pending.set(key, question);
    results ??= runBatch();
    return (await results).get(key) as Result;
  };
}
