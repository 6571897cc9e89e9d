import type { Compilable, Kysely, RawBuilder } from "kysely";
import { type Command, FORM_SIZES, type FormSize } from "./command.ts";
import type { CommandList, Numbered } from "./command-list.ts";
import { commandsIfConfirmed, toCallers } from "./confirm-callers.ts";
import type { Query } from "./database.ts";
import { compileEarly, compileOnce, type Prepared } from "./prepare.ts";
import { type ReturnRows, type StoredRow, storeResponses } from "./prepare-write.ts";
import type { Tables } from "./tables.ts";

/** A statement that takes a list of commands. Returns at most one row for each of them. */
export interface ListStatement<Row> {
  bind(commands: readonly Command[]): Query;
  /** Only for its type. */
  readonly row?: Row;
}

/** The commands as rows, numbered from 1; none of them if a remembered caller is not confirmed. */
type Given<Values> = RawBuilder<Values & Numbered>;

/** JSON arrays of commands, of remembered callers, each once, and of responses to store; the last two if needed. */
interface ListValues {
  commands: string;
  callers: string;
  responses: string;
}

/** Prepares a statement whose commands only read. */
export function prepareListRead<Values, Row extends Numbered>(
  list: CommandList<Values>,
  build: (db: Kysely<Tables>, given: Given<Values>) => Compilable<Row>,
): ListStatement<Row> {
  const compile = compileEarly<ListValues>((db, param) => build(db, list.rows(param("commands", "jsonb"))));
  const confirming = compileEarly<ListValues>((db, param) => build(db, list.rows(commandsIfConfirmed(db, param))));
  return {
    bind(commands) {
      const callers = toCallers(commands);
      const prepared = callers === undefined ? compile() : confirming();
      return prepared.bind({ commands: toList(commands), callers: callers ?? NONE, responses: NONE });
    },
  };
}

/** Prepares a statement whose commands have no caller. */
export function prepareListWithoutCaller<Values, Row extends Numbered>(
  list: CommandList<Values>,
  build: (given: Given<Values>) => RawBuilder<Row>,
): ListStatement<Row> {
  const compile = compileEarly<Pick<ListValues, "commands">>((_db, param) =>
    build(list.rows(param("commands", "jsonb"))),
  );
  return { bind: (commands) => compile().bind({ commands: toList(commands) }) };
}

/** What a statement does besides its own work. */
interface Form {
  readonly size: FormSize;
  readonly confirms: boolean;
  readonly storesResponses: boolean;
}

function formsOf(sizes: readonly FormSize[]): Form[] {
  return sizes.flatMap((size) =>
    [false, true].flatMap((confirms) => [false, true].map((storesResponses) => ({ size, confirms, storesResponses }))),
  );
}

/**
 * Prepares a statement whose commands change data. It has a form for each need: to confirm remembered callers, to store
 * the responses to calls with `idempotency-key`, and the size.
 *
 * @param build Returns the parts of the statement; the last one, `result`, has the `number`, `sequence`, `created_at`
 *   and `changed_at` of each changed object. `size`: which form to build.
 * @param options `isDone`: whether the operation succeeds, as a condition on `result`. Otherwise, the response is not
 *   stored. By default, the operation succeeds if the row has a sequence. `sizes`: the forms that there are, from
 *   small to large, by default only the whole one. The smaller ones lack parts that most commands do not need, and the
 *   smallest that suffices for all commands of a list runs. PostgreSQL sets up every writing part, even if it gets no
 *   rows: without the parts for links, codes and messages, its CPU time for imports is 0.83 × for one command, 0.93 ×
 *   for 10 and 0.95 × for 32.
 */
export function prepareListWrite<Values, Row extends StoredRow & Numbered>(
  list: CommandList<Values>,
  build: (db: Kysely<Tables>, given: Given<Values>, returnRows: ReturnRows<Row>, size: FormSize) => Compilable<Row>,
  { isDone, sizes = ["whole"] }: { readonly isDone?: RawBuilder<boolean>; readonly sizes?: readonly FormSize[] } = {},
): ListStatement<Row> {
  const forms = formsOf(sizes).map((form) => {
    const { size, confirms, storesResponses } = form;
    // The forms that store responses are rarely used, so they are compiled on first use.
    const compile = storesResponses ? compileOnce<ListValues> : compileEarly<ListValues>;
    const prepared = compile((db, param) => {
      const given = list.rows(confirms ? commandsIfConfirmed(db, param) : param("commands", "jsonb"));
      const responses = storesResponses ? { list: param("responses", "jsonb"), isDone, isNumbered: true } : undefined;
      return build(db, given, storeResponses(responses), size);
    });
    return { form, prepared };
  });
  return { bind: (commands) => bindForm(forms, commands) };
}

function bindForm(
  forms: readonly { readonly form: Form; readonly prepared: () => Prepared<ListValues> }[],
  commands: readonly Command[],
): Query {
  const callers = toCallers(commands);
  const responses = toResponses(commands);
  const needed = Math.max(...commands.map(({ size }) => FORM_SIZES.indexOf(size)));
  const found = forms.find(
    ({ form }) =>
      FORM_SIZES.indexOf(form.size) >= needed &&
      form.confirms === (callers !== undefined) &&
      form.storesResponses === (responses !== undefined),
  );
  if (found === undefined) throw new Error("the statement has no such form");
  return found.prepared().bind({ commands: toList(commands), callers: callers ?? NONE, responses: responses ?? NONE });
}

const NONE = "[]";

function toList(commands: readonly Command[]): string {
  return `[${commands.map(({ json }) => json).join()}]`;
}

/** The responses to store, each with the number of its command. Undefined if there are none. */
function toResponses(commands: readonly Command[]): string | undefined {
  const rows = commands.flatMap(({ idempotency }, index) =>
    idempotency === undefined ? [] : [`{"number":${index + 1},"row":${idempotency}}`],
  );
  return rows.length === 0 ? undefined : `[${rows.join()}]`;
}
