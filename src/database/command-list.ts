import { type Expression, type RawBuilder, sql } from "kysely";
import type { Param, SqlType } from "./prepare.ts";

/**
 * The maximum number of commands in one statement. With 128 calls in flight, larger statements had no measurable
 * benefit.
 */
export const MAX_COMMANDS = 128;

/** The columns of a list of commands, which are the properties of a command, and their types. */
export type Columns<Command> = { readonly [Name in keyof Command & string]: SqlType };

/** The column of each result row that identifies its command: the position in the list, starting at 1. */
export interface Numbered {
  number: number;
}

/** Passes commands to a statement as a list of arrays, each with the values of the columns in their order. */
export interface CommandList<Command> {
  readonly columns: Columns<Command>;
  /** Bytes must have been converted by `bytesToText`. */
  toJson(command: Command): string;
  /**
   * The rows of a list, numbered from 1. The planner expects 100 rows. A null for a column of type `jsonb` is the null
   * of JSON.
   */
  rows(list: Expression<string>): RawBuilder<Command & Numbered>;
}

/**
 * Creates the list for commands with these columns. Each command is an array: objects would repeat the names of the
 * columns, and an import took PostgreSQL 1.16 × the CPU time with them.
 */
export function createCommandList<Command>(columns: Columns<Command>): CommandList<Command> {
  const names = Object.keys(columns) as (keyof Command & string)[];
  const isArray = (name: keyof Command & string) => columns[name].endsWith("[]");
  return {
    columns,
    toJson(command) {
      const toJsonValue = (name: keyof Command & string) =>
        isArray(name) ? arrayToText(command[name] as readonly string[]) : command[name];
      return JSON.stringify(names.map(toJsonValue));
    },
    rows(list) {
      const values = names.map((name, index) => sql`${toValue(columns[name], index)} as ${sql.ref(name)}`);
      return sql`(
        select ${sql.join(values)}, ordinality::int as number
        from jsonb_array_elements(${list}) with ordinality as command (value, ordinality))`;
    },
  };
}

function toValue(type: SqlType, index: number): RawBuilder<unknown> {
  if (type === "jsonb") return sql`value -> ${sql.lit(index)}`;
  return sql`(value ->> ${sql.lit(index)})::${sql.raw(type)}`;
}

/** PostgreSQL's text form of an array (its manual, "Array Value Input"). */
function arrayToText(values: readonly string[]): string {
  return `{${values.map((value) => `"${value.replaceAll(/["\\]/g, "\\$&")}"`).join()}}`;
}

/** Converts bytes for `CommandList.toJson`, for a column of type `bytea`. */
export function bytesToText(bytes: Uint8Array): string {
  return hexToText(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("hex"));
}

/** The same for bytes in hexadecimal. */
export function hexToText(hex: string): string {
  return `\\x${hex}`;
}

/** A part of a statement that does nothing and costs nothing. */
export const NOTHING = sql<object>`(select)`;

/**
 * A condition that is true for all rows of a list, and makes the planner expect one row, so it uses index lookups. With
 * an estimate of 100 rows, a statement planned while the tables are empty scans whole tables, and keeps that plan until
 * the tables are analyzed.
 */
export const isExpectedOnce = sql<boolean>`number between 1 and ${sql.lit(MAX_COMMANDS)}`;

/**
 * The organization shared by all commands in a part of the statement. For this single value, PostgreSQL reads one
 * partition of a partitioned table; to join a list, it may read all of them.
 */
export function orgOf(part: string): RawBuilder<string> {
  return sql<string>`(select "ownerId" from ${sql.table(part)} limit 1)`;
}

/**
 * Reads the values of each command from the columns of a table, in parts of a statement that can also read parameters.
 */
export function columnsOf<Values>(table: string): Param<Values> {
  return <Name extends keyof Values & string>(name: Name) =>
    sql<Values[Name]>`${sql.ref(`${table}.${name}`)}` satisfies RawBuilder<Values[Name]>;
}
