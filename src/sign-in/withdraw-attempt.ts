import { sql } from "kysely";
import { isExpectedOnce } from "../database/command-list.ts";
import { prepareStatement } from "../database/prepare.ts";

/** Subtracts one failure from each counter. Locks the rows in the same order as `countAttempt`. */
export const withdrawAttempt = prepareStatement<{ counters: string[] }, { key: string }>((db, param) => {
  const statement = sql<{ key: string }>`
    with locked as (
      select rate_limits.key
      from unnest(${param("counters", "text[]")}) with ordinality as listed (key, number)
      join rate_limits on rate_limits.key = listed.key
      where ${isExpectedOnce}
      order by listed.number for update of rate_limits)
    update rate_limits set points = greatest(0, rate_limits.points - 1)
    from locked where rate_limits.key = locked.key
    returning rate_limits.key`;
  return { compile: () => statement.compile(db) };
});
