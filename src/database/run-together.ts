import type { Kysely } from "kysely";
import { type KeptRow, type RememberedCaller, UNCONFIRMED } from "../call.ts";
import { SignetError } from "../errors.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import type { Span } from "../telemetry/span.ts";
import { type CommandGroup, createCommandGroup, type Send } from "./command-group.ts";
import { type CommandList, createCommandList, type ListValues, type Numbered } from "./command-list.ts";
import type { Entry } from "./command-queue.ts";
import { REMEMBERED_CALLERS } from "./confirm-callers.ts";
import type { Statement } from "./prepare.ts";
import type { Write, WriteCaller } from "./prepare-write.ts";
import { startSharedSpan } from "./shared-span.ts";
import type { Tables } from "./tables.ts";

/** Commands that can share one statement with others that have arrived. */
export interface CommandKind<Command, Row> {
  /** What the commands do, such as `update_human_phone`: for metrics and traces. */
  readonly name: string;
  readonly list: CommandList<Command>;
  /**
   * Takes commands of `list`. Returns at most one row for each command. Created by `prepareWrite`, unless the commands
   * only read.
   */
  readonly statement: Statement<ListValues, Row & Numbered> &
    Partial<Pick<Write<ListValues, Row & Numbered>, "keepingList" | "confirmsCallers">>;
  /** The organization of the command. Only commands of one group share a statement. */
  readonly toGroup: (command: Command) => string;
  /**
   * What the command writes and others may write too: an object, a unique name. Commands with a common key run one at a
   * time.
   */
  readonly toKeys: (command: Command) => readonly string[];
  /** Whether the short form of the statement suffices for the command; see `prepareWrite`. */
  readonly fitsShortForm?: (command: Command) => boolean;
  /**
   * For commands that only read: `toKeys` returns one key, equal for identical commands. Waiting identical commands
   * share one result, and a command may start while an identical one is running.
   */
  readonly isReading?: boolean;
}

/**
 * Runs a command, in one statement with others of its kind. Commands whose callers have a `keptResponse` share separate
 * statements, which also store the responses.
 *
 * @returns The command's own row; undefined if the statement returned none for it.
 * @throws SignetError if the database fails, or UNAVAILABLE if too many commands are waiting; the error of
 *   `throwIfOver` if the caller disconnected before the command was sent; UNCONFIRMED if the caller is only remembered,
 *   and the statement changed nothing, because it did not confirm the caller, or found nothing to change.
 */
export type RunTogether = <Command extends object, Row>(
  kind: CommandKind<Command, Row>,
  command: Command,
  caller?: WriteCaller,
) => Promise<Row | undefined>;

const SWEEP_MS = 100;

/**
 * Creates a function that runs commands together.
 *
 * Commands that arrive while statements are in flight go into the next one; a single command runs immediately. A
 * statement takes its commands when it gets a connection, in order of arrival and skips commands whose callers have
 * disconnected. If the database rejects a statement, or the statement does not confirm one of its callers, each of its
 * commands is retried separately, and gets its own error. If it is unknown whether the statement took effect, no command
 * is retried, and all fail with UNAVAILABLE.
 *
 * Each organization has separate statements, a few at a time, so that none can delay another before the query limiter.
 */
export function createRunTogether(db: Kysely<Tables>, metrics?: Metrics): RunTogether {
  /** By kind, then by group. The sweep removes idle groups. */
  const kinds = new Map<object, Map<string, CommandGroup>>();
  const backlog = { commands: 0, characters: 0 };
  const onRefused = () => metrics?.budgetExceeded("commands");
  let sweeper: NodeJS.Timeout | undefined;

  function sweep(): void {
    for (const [kind, groups] of kinds) {
      for (const [name, group] of groups) {
        group.sweep();
        if (group.isIdle()) groups.delete(name);
      }
      if (groups.size === 0) kinds.delete(kind);
    }
    if (kinds.size > 0) return;
    clearInterval(sweeper);
    sweeper = undefined;
  }

  function findGroup<Command, Row>(kind: CommandKind<Command, Row>, command: Command): CommandGroup {
    const groups = kinds.get(kind) ?? new Map<string, CommandGroup>();
    kinds.set(kind, groups);
    const name = kind.toGroup(command);
    const group =
      groups.get(name) ?? createCommandGroup(toSend(db, kind, metrics), kind.isReading === true, backlog, onRefused);
    groups.set(name, group);
    sweeper ??= setInterval(sweep, SWEEP_MS).unref();
    return group;
  }

  async function run<Command extends object, Row>(
    kind: CommandKind<Command, Row>,
    command: Command,
    caller: WriteCaller | undefined,
  ): Promise<Row | undefined> {
    const remembered = caller && takeUnconfirmed(caller, kind);
    const span = caller?.span?.child(`command ${kind.name}`);
    try {
      const row = await new Promise((resolve, reject) => {
        findGroup(kind, command).add({
          keys: kind.toKeys(command),
          fitsShortForm: kind.fitsShortForm?.(command) === true,
          remembered,
          waiters: [{ caller, span, resolve, reject }],
          toJson: () => kind.list.toJson(command),
        });
      }).catch(addStackOfCaller);
      span?.end();
      return row as Row | undefined;
    } catch (error) {
      span?.end(error);
      throw error;
    }
  }

  return async (kind, command, caller) => {
    caller?.throwIfOver();
    if (caller?.keptResponse === undefined || kind.isReading) return await run(kind, command, caller);
    return await run(toKeepingKind(kind), { ...command, kept: caller.keptResponse.toRow() }, caller);
  };
}

/** The remembered caller that the statement has to confirm. From now on, the caller counts as confirmed. */
function takeUnconfirmed<Command, Row>(
  caller: WriteCaller,
  { name, statement }: CommandKind<Command, Row>,
): RememberedCaller | undefined {
  const { unconfirmed } = caller;
  if (unconfirmed === undefined) return undefined;
  if (statement.confirmsCallers !== true) throw new Error(`${name} does not confirm its callers`);
  caller.unconfirmed = undefined;
  return unconfirmed;
}

const keepingKinds = new WeakMap<object, object>();

/** The kind for the same commands with responses to store. */
function toKeepingKind<Command, Row>(kind: CommandKind<Command, Row>): CommandKind<Command & { kept: KeptRow }, Row> {
  const { statement } = kind;
  if (statement.keepingList === undefined) throw new Error("the commands are not made by prepareWrite");
  const keeping = keepingKinds.get(kind) ?? {
    ...kind,
    // The last column, as `keepResponses` requires.
    list: createCommandList({ ...kind.list.columns, kept: "jsonb" }),
    statement: statement.keepingList,
  };
  keepingKinds.set(kind, keeping);
  return keeping as CommandKind<Command & { kept: KeptRow }, Row>;
}

/** The stack of a shared statement does not lead to any of its commands, so this adds the command's own stack. */
function addStackOfCaller(error: unknown): never {
  const cause = error instanceof SignetError && error.code === "internal" ? error.cause : undefined;
  if (cause instanceof Error) cause.stack = `${cause.stack}\n${new Error().stack?.split("\n").slice(1).join("\n")}`;
  throw error;
}

/** Several commands of one caller need to be confirmed only once. */
function toCallers(entries: readonly Entry[]): string | undefined {
  const callers = new Map<string, string>();
  for (const { remembered } of entries) {
    if (remembered === undefined) continue;
    const key = `${remembered.tokenHash} ${remembered.orgId}`;
    if (!callers.has(key)) callers.set(key, REMEMBERED_CALLERS.toJson(remembered));
  }
  return callers.size === 0 ? undefined : `[${[...callers.values()].join()}]`;
}

function toSend<Command, Row>(
  db: Kysely<Tables>,
  { name, statement }: CommandKind<Command, Row>,
  metrics: Metrics | undefined,
): Send {
  return async (take, caller) => {
    let span: Span | undefined;
    const toValues = () => {
      const entries = take();
      const values = {
        commands: `[${entries.map(({ json }) => json).join()}]`,
        fitShortForm: entries.every(({ fitsShortForm }) => fitsShortForm),
        callers: toCallers(entries),
      };
      span = startSharedSpan(entries, () => statement.compile?.(values));
      return values;
    };
    const rows: unknown[] = [];
    try {
      for (const row of await statement(db, toValues, caller)) rows[row.number - 1] = row;
      if (rows.length === 0 && take().some(({ remembered }) => remembered !== undefined)) throw UNCONFIRMED;
      metrics?.commandsWritten(name, take().length);
      span?.end();
      return rows;
    } catch (error) {
      span?.end(error);
      throw error;
    }
  };
}
