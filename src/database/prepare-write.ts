import { type Compilable, type CompiledQuery, type Expression, type Kysely, sql } from "kysely";
import type { KeptResponse, QueryCaller } from "../call.ts";
import type { ListValues } from "./command-list.ts";
import { commandsIfConfirmed } from "./confirm-callers.ts";
import { keepResponses } from "./keep-responses.ts";
import { compileEarly, compileOnce, type Param, type SqlType, type Statement, toStatement } from "./prepare.ts";
import type { Tables } from "./tables.ts";

/**
 * A statement that changes data. Callers with `keptResponse` run its second form, which also stores the response; all
 * others run the statement as written.
 */
export interface Write<Values, Row> {
  (db: Kysely<Tables>, values: Values | (() => Values), caller?: WriteCaller): Promise<Row[]>;
  readonly compile: (values: Values) => CompiledQuery<Row>;
  /** Whether there is a form that confirms remembered callers, for a list of commands with `callers`. */
  readonly confirmsCallers: boolean;
  /** The form for a list of commands (`ListValues`), each with the row to store in its last column, `kept`. */
  readonly keepingList: Statement<Values, Row>;
}

export interface WriteCaller extends QueryCaller {
  readonly keptResponse?: KeptResponse | undefined;
}

/**
 * Like `prepareStatement`, for the statement of an operation that changes data.
 *
 * @param build Returns the `sequence`, `created_at` and `changed_at` of the changed object. `isShort`: whether it
 *   builds the short form.
 * @param options `isDone`: whether the operation succeeds, as a condition on the returned row in `carried_out`.
 *   Otherwise, the response is not stored. By default, the operation succeeds if the row has a sequence.
 *   `hasShortForm`: whether there is a form without parts that most commands of a list do not need. It runs if all
 *   commands of a list fit it. PostgreSQL sets up every writing part, even if it gets no rows: without the parts for
 *   links, codes and messages, its CPU time for imports is 0.83 × for one command, 0.93 × for 10 and 0.95 × for 32.
 *   `confirmsCallers`: whether there are forms that also confirm remembered callers; see `commandsIfConfirmed`.
 */
export function prepareWrite<Values extends object, Row extends { readonly sequence: bigint | null }>(
  build: (db: Kysely<Tables>, param: Param<Values>, isShort: boolean) => Compilable<Row>,
  {
    isDone = sql<boolean>`carried_out.sequence is not null`,
    hasShortForm = false,
    confirmsCallers = false,
  }: {
    readonly isDone?: Expression<boolean>;
    readonly hasShortForm?: boolean;
    readonly confirmsCallers?: boolean;
  } = {},
): Write<Values, Row> {
  const compileForms = (toParam: (db: Kysely<Tables>, param: Param<Values>) => Param<Values>) => {
    const compile = compileEarly<Values, Row>((db, param) => build(db, toParam(db, param), false));
    if (!hasShortForm) return { compile, compileShort: compile };
    return { compile, compileShort: compileEarly<Values, Row>((db, param) => build(db, toParam(db, param), true)) };
  };
  const forms = compileForms((_db, param) => param);
  const confirmingForms = confirmsCallers ? compileForms(confirmingParam) : forms;
  const compileForm = (values: Values & Partial<ListValues>) => {
    const { compile, compileShort } = values.callers === undefined ? forms : confirmingForms;
    return values.fitShortForm === true ? compileShort() : compile();
  };
  const plain = toStatement(compileForm);
  // The forms that store responses are rarely used, so they are compiled on first use.
  const keepingIn = <Given extends Values>(list: keyof Given & ("kept" | "commands")) =>
    toStatement<Given, Row>(
      compileOnce<Given, Row>((db, param) => keepResponses(db, forms.compile(), param, { list, isDone })),
    );
  const keeping = keepingIn<Values & { kept: string }>("kept");
  const write = (db: Kysely<Tables>, values: Values | (() => Values), caller?: WriteCaller) => {
    if (caller?.keptResponse === undefined) return plain(db, values, caller);
    const kept = JSON.stringify([[caller.keptResponse.toRow()]]);
    const toValues = () => ({ ...(typeof values === "function" ? values() : values), kept });
    return keeping(db, toValues, caller);
  };
  return Object.assign(write, {
    compile: compileForm,
    confirmsCallers,
    keepingList: keepingIn<Values & ListValues>("commands") as Statement<Values, Row>,
  });
}

/** Replaces the list of commands with `commandsIfConfirmed`. */
function confirmingParam<Values>(db: Kysely<Tables>, param: Param<Values>): Param<Values> {
  const confirming = (name: keyof Values & string, type: SqlType) =>
    name === "commands" ? commandsIfConfirmed(db, param as Param<never>) : param(name, type);
  return confirming as Param<Values>;
}
