/**
 * Batches same-tick lookups; identical keys share one result.
 *
 * The lookup starts in the next tick, after all of its questions were asked, so no answer is older than its question.
 * Nothing is cached. A failed lookup fails for all questions of its batch.
 *
 * With 32 calls in flight this saves a fifth of the server's CPU time per call (docs/performance.md).
 *
 * @param lookUp Resolves to one result per question, in the same order.
 * @param toKey Returns equal keys for identical questions.
 */
export function lookUpTogether<Question, Result>(
  lookUp: (questions: readonly Question[]) => Promise<readonly Result[]>,
  toKey: (question: Question) => string,
): (question: Question) => Promise<Result> {
  let asked = new Map<string, Question>();
  let results: Promise<ReadonlyMap<string, Result>> | undefined;

  async function lookUpAll(): Promise<ReadonlyMap<string, Result>> {
    await new Promise((resolve) => setImmediate(resolve));
    const [keys, questions] = [[...asked.keys()], [...asked.values()]];
    asked = new Map();
    results = undefined;
    const found = await lookUp(questions);
    return new Map(keys.map((key, index) => [key, found[index] as Result]));
  }

  return async (question) => {
    const key = toKey(question);
    asked.set(key, question);
    results ??= lookUpAll();
    return (await results).get(key) as Result;
  };
}
