import { SignetError } from "../errors.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import type { Span } from "../telemetry/span.ts";
import type { Command, FormSize } from "./command.ts";
import {
  addCommand,
  type Batch,
  type CommandLane,
  createLane,
  end,
  giveUp,
  isIdle,
  mayOpen,
  type Outcome,
  open,
  sweepLane,
  take,
  throwIfNothingWaits,
} from "./command-lane.ts";
import type { CommandList, Numbered } from "./command-list.ts";
import type { Connection, Connections } from "./database.ts";
import { toSignetError } from "./failure.ts";
import type { ListStatement } from "./prepare-list.ts";
import type { WriteCaller } from "./prepare-write.ts";
import { sendQuery } from "./run-query.ts";
import { startSharedSpan } from "./shared-span.ts";

/** Commands that can share one statement with others that have arrived. */
export interface CommandKind<Values, Row> {
  /** What the commands do, such as `update_human_phone`: for metrics and traces. */
  readonly name: string;
  readonly list: CommandList<Values>;
  readonly statement: ListStatement<Row & Numbered>;
  /** The organization of the command; "" if commands of all organizations may share a statement. */
  readonly toGroup: (values: Values) => string;
  /**
   * What the command writes and others may write too: an object, a unique name. Commands with a common key run one at a
   * time.
   */
  readonly toKeys: (values: Values) => readonly string[];
  /** The smallest form of the statement that suffices for the command; see `prepareListWrite`. By default, the whole one. */
  readonly toSize?: (values: Values) => FormSize;
  /**
   * For commands that only read: `toKeys` returns one key, equal for identical commands. Waiting identical commands
   * share one result, and a command may start while an identical one is running.
   */
  readonly isReading?: boolean;
}

/**
 * Runs a command, in one statement with others of its kind.
 *
 * @param response The response to store if the call has `idempotency`, without `details`.
 * @returns The command's own row; undefined if the statement returned none for it.
 * @throws SignetError if the database fails, or UNAVAILABLE if too many commands are waiting; the error of
 *   `throwIfOver` if the caller disconnected before the command was sent; UNCONFIRMED if the caller is only remembered,
 *   and the statement changed nothing, because it did not confirm the caller, or found nothing to change.
 */
export type RunTogether = <Values extends object, Row>(
  kind: CommandKind<Values, Row>,
  values: Values,
  caller?: WriteCaller,
  response?: object,
) => Promise<Row | undefined>;

const SWEEP_MS = 100;

/**
 * Creates the executor of commands.
 *
 * Commands that arrive while statements are in flight go into the next one; a single command runs immediately. A
 * statement takes its commands when it gets a connection, in order of arrival, and skips commands whose callers have
 * disconnected. If the database rejects a statement, or the statement does not confirm one of its callers, each of its
 * commands is retried separately, and gets its own error. If it is unknown whether the statement took effect, no command
 * is retried, and all fail with UNAVAILABLE.
 *
 * Each group has separate statements, a few at a time, so that no organization can delay another before the query limiter.
 */
export function createRunTogether(db: Connections, metrics?: Metrics): RunTogether {
  const lanes = createLanes(() => metrics?.budgetExceeded("commands"), startNext);

  function startNext(kind: SomeKind, lane: CommandLane): void {
    if (mayOpen(lane)) void sendNext(kind, lane);
  }

  /** The way of commands to the database: one statement for what waits in a lane. */
  async function sendNext(kind: SomeKind, lane: CommandLane): Promise<void> {
    open(lane);
    let connection: Connection;
    // The limiter asks once more when the connection is released, and would count the statement as one that came too late.
    let hasCommands = false;
    try {
      connection = await db.enter({
        throwIfOver() {
          if (!hasCommands) throwIfNothingWaits(lane);
        },
      });
    } catch (error) {
      giveUp(lane, error);
      return startNext(kind, lane);
    }
    const batch = take(lane);
    hasCommands = true;
    startNext(kind, lane);
    let span: Span | undefined;
    let outcome: Outcome;
    try {
      const query = kind.statement.bind(batch.commands);
      span = startSharedSpan(batch.commands, query);
      outcome = toOutcome(batch, await sendQuery(connection, query));
    } catch (error) {
      outcome = { kind: "failed", error: toSignetError(error) };
    }
    connection.leave();
    if (outcome.kind === "rows") metrics?.commandsWritten(kind.name, batch.commands.length);
    span?.end(outcome.kind === "failed" ? outcome.error : undefined);
    end(lane, batch, outcome);
    startNext(kind, lane);
  }

  return async <Values extends object, Row>(
    kind: CommandKind<Values, Row>,
    values: Values,
    caller?: WriteCaller,
    response?: object,
  ) => {
    caller?.throwIfOver();
    const span = caller?.span?.child(`command ${kind.name}`);
    try {
      const row = await new Promise((resolve, reject) => {
        const lane = lanes.find(kind, kind.toGroup(values));
        const command = toCommand(kind, values, caller, response);
        addCommand(lane, { ...command, waiters: [{ caller, span, resolve, reject }] });
        startNext(kind, lane);
      }).catch(addStackOfCaller);
      span?.end();
      return row as Row | undefined;
    } catch (error) {
      span?.end(error);
      throw error;
    }
  };
}

type SomeKind = Pick<CommandKind<never, unknown>, "name" | "statement" | "isReading">;

function toCommand<Values extends object, Row>(
  kind: CommandKind<Values, Row>,
  values: Values,
  caller: WriteCaller | undefined,
  response: object | undefined,
): Omit<Command, "waiters"> {
  const { authority, idempotency } = caller ?? {};
  return {
    json: kind.list.toJson(values),
    keys: kind.toKeys(values),
    size: kind.toSize?.(values) ?? "whole",
    toConfirm: authority?.kind === "toConfirm" ? authority.caller : undefined,
    idempotency: idempotency && !kind.isReading ? JSON.stringify(idempotency.toRow(response)) : undefined,
    since: performance.now(),
    isAlone: false,
  };
}

/** The row of each command. The statement that has not confirmed a remembered caller returns none. */
function toOutcome({ commands }: Batch, found: readonly unknown[]): Outcome {
  if (found.length === 0 && commands.some(({ toConfirm }) => toConfirm !== undefined)) return { kind: "unconfirmed" };
  const rows: unknown[] = [];
  for (const row of found as readonly Numbered[]) rows[row.number - 1] = row;
  return { kind: "rows", rows };
}

/** The lanes of a process, by kind, then by organization. */
function createLanes(onRefused: () => void, startNext: (kind: SomeKind, lane: CommandLane) => void) {
  const kinds = new Map<SomeKind, Map<string, CommandLane>>();
  const backlog = { commands: 0, characters: 0 };
  let sweeper: NodeJS.Timeout | undefined;

  function sweep(): void {
    for (const [kind, lanes] of kinds) {
      for (const [group, lane] of lanes) {
        sweepLane(lane);
        startNext(kind, lane);
        if (isIdle(lane)) lanes.delete(group);
      }
      if (lanes.size === 0) kinds.delete(kind);
    }
    if (kinds.size > 0) return;
    clearInterval(sweeper);
    sweeper = undefined;
  }

  return {
    find(kind: SomeKind, group: string): CommandLane {
      const lanes = kinds.get(kind) ?? new Map<string, CommandLane>();
      kinds.set(kind, lanes);
      const lane = lanes.get(group) ?? createLane({ isReading: kind.isReading === true, backlog, onRefused });
      lanes.set(group, lane);
      sweeper ??= setInterval(sweep, SWEEP_MS).unref();
      return lane;
    },
  };
}

/** The stack of a shared statement does not lead to any of its commands, so this adds the command's own stack. */
function addStackOfCaller(error: unknown): never {
  const cause = error instanceof SignetError && error.code === "internal" ? error.cause : undefined;
  if (cause instanceof Error) cause.stack = `${cause.stack}\n${new Error().stack?.split("\n").slice(1).join("\n")}`;
  throw error;
}
