import type { Database } from "./database.ts";

/** Runs one query after another, so that they use at most one connection. */
export type RunInTurn = <Result>(run: (db: Database) => Promise<Result>) => Promise<Result>;

export function createRunInTurn(db: Database): RunInTurn {
  let last: Promise<unknown> = Promise.resolve();
  return (run) => {
    const result = last.then(() => run(db));
    last = result.catch(() => {});
    return result;
  };
}
