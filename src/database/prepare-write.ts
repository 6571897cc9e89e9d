import type { Kysely } from "kysely";
import { type Compilable, type Expression, type QueryCreator, type RawBuilder, sql } from "kysely";
import type { Idempotency, QueryCaller } from "../call.ts";
import type { Connections } from "./database.ts";
import { type Build, compileEarly, compileOnce, type Param } from "./prepare.ts";
import { runQuery } from "./run-query.ts";
import type { Tables } from "./tables.ts";

/** A statement that changes data. For calls with `idempotency`, it also stores the response. */
type Write<Values, Row> = (
  db: Connections,
  values: Values,
  caller?: WriteCaller,
  /** The response to store, without `details`; see `Idempotency`. */
  response?: object,
) => Promise<Row[]>;

export interface WriteCaller extends QueryCaller {
  readonly idempotency?: Idempotency | undefined;
}

/** The part of a row that is stored with a response. No sequence: nothing was changed. */
export interface StoredRow {
  readonly sequence: bigint | null;
}

/** Completes a statement with these parts: it returns the rows of the part `result`. */
export type ReturnRows<Row> = <DB>(parts: QueryCreator<DB>) => Compilable<Row>;

/**
 * Like `prepareStatement`, for the statement of an operation that changes data.
 *
 * @param build Passes the parts of the statement to `returnRows`; the last one, `result`, has the `sequence`,
 *   `created_at` and `changed_at` of the changed object.
 * @param options `isDone`: see `prepareListWrite`.
 */
export function prepareWrite<Values extends object, Row extends StoredRow>(
  build: (db: Kysely<Tables>, param: Param<Values>, returnRows: ReturnRows<Row>) => Compilable<Row>,
  { isDone }: { readonly isDone?: RawBuilder<boolean> } = {},
): Write<Values, Row> {
  const plain: Build<Values, Row> = (db, param) => build(db, param, storeResponses<Row>());
  const storing: Build<Values & { responses: string }, Row> = (db, param) =>
    build(
      db,
      param as Param<Values>,
      storeResponses<Row>({ list: param("responses", "jsonb"), isDone, isNumbered: false }),
    );
  const compilePlain = compileEarly(plain);
  // Rarely used, so it is compiled on first use.
  const compileStoring = compileOnce(storing);
  return (db, values, caller, response) => {
    if (caller?.idempotency === undefined) return runQuery<Row>(db, compilePlain().bind(values), caller);
    const responses = JSON.stringify([{ row: caller.idempotency.toRow(response) }]);
    return runQuery<Row>(db, compileStoring().bind({ ...values, responses }), caller);
  };
}

/** The responses that a statement stores. */
interface Responses {
  /** A JSON array of objects: an `IdempotencyRow` (src/call.ts) as `row`, and the `number` of its row in `result`. */
  readonly list: Expression<string>;
  readonly isDone: RawBuilder<boolean> | undefined;
  /** False if `result` has one row. */
  readonly isNumbered: boolean;
}

/**
 * Returns a function that completes a statement. If it stores responses, it fails as a whole if one of the keys has
 * been used.
 */
export function storeResponses<Row>(responses?: Responses): ReturnRows<Row> {
  const select = <DB>(parts: QueryCreator<DB>) => parts.selectFrom(sql<Row>`result`.as("result")).selectAll();
  if (responses === undefined) return (parts) => select(parts) as Compilable<Row>;
  const { list, isDone = sql<boolean>`result.sequence is not null`, isNumbered } = responses;
  const stored = sql<object>`(
    insert into idempotency_keys (caller_id, key_hash, request_mac, answer, master_key, sequence, creation_date,
      change_date, expires_at)
    select stored."callerId", stored."keyHash", stored."requestMac", stored.response, stored."masterKey",
      result.sequence, result.created_at, result.changed_at, stored."expiresAt"
    from result
      join jsonb_to_recordset(${list}) as given (number int, row jsonb)
        on ${isNumbered ? sql`given.number = result.number` : sql`true`},
      jsonb_to_record(given.row) as stored ("callerId" uuid, "keyHash" bytea, "requestMac" bytea,
        response bytea, "masterKey" text, "expiresAt" timestamptz)
    where ${isDone}
    order by stored."keyHash")`;
  return (parts) => select(parts.with("stored", () => stored)) as Compilable<Row>;
}
