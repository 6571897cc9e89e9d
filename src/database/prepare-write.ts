import { type Compilable, type CompiledQuery, type Expression, type Kysely, sql } from "kysely";
import type { KeptAnswer } from "../call.ts";
import type { ListValues } from "./command-list.ts";
import type { Caller } from "./gate.ts";
import { keepAnswers } from "./keep-answers.ts";
import { compileOnce, type Param, prepareStatement, type Statement, toStatement } from "./prepare.ts";
import type { Tables } from "./tables.ts";

/**
 * A statement that changes something. A caller with `keptAnswer` runs its other form, which also stores the response; all
 * others run the statement as it was written.
 */
export interface Write<Values, Row> {
  (db: Kysely<Tables>, values: Values | (() => Values), caller?: WriteCaller): Promise<Row[]>;
  readonly compile: () => CompiledQuery<Row>;
  /** The form for a list of commands (`ListValues`), each with the row to store as its property `kept`. */
  readonly keepingList: Statement<Values, Row>;
}

export interface WriteCaller extends Caller {
  readonly keptAnswer?: KeptAnswer | undefined;
}

/**
 * As `prepareStatement`, for the statement of an operation that changes something.
 *
 * @param build Returns the `sequence`, `created_at` and `changed_at` of the changed object.
 * @param options `isDone`: whether the operation succeeds, as a condition on the returned row in `carried_out`.
 *   Otherwise the response is not stored. By default, it succeeds if the row has a sequence.
 */
export function prepareWrite<Values extends object, Row extends { readonly sequence: bigint | null }>(
  build: (db: Kysely<Tables>, param: Param<Values>) => Compilable<Row>,
  { isDone = sql<boolean>`carried_out.sequence is not null` }: { readonly isDone?: Expression<boolean> } = {},
): Write<Values, Row> {
  const plain = prepareStatement(build);
  // The other forms are rare, so they are compiled at their first use.
  const compile = compileOnce(build);
  const keepingIn = <Given extends Values>(list: keyof Given & ("kept" | "commands")) =>
    toStatement<Given, Row>(
      compileOnce<Given, Row>((db, param) => keepAnswers(db, compile(), param, { list, isDone })),
    );
  const keeping = keepingIn<Values & { kept: string }>("kept");
  const write = (db: Kysely<Tables>, values: Values | (() => Values), caller?: WriteCaller) => {
    if (caller?.keptAnswer === undefined) return plain(db, values, caller);
    const kept = JSON.stringify([{ kept: caller.keptAnswer.toRow() }]);
    const toValues = () => ({ ...(typeof values === "function" ? values() : values), kept });
    return keeping(db, toValues, caller);
  };
  return Object.assign(write, {
    compile,
    keepingList: keepingIn<Values & ListValues>("commands") as Statement<Values, Row>,
  });
}
