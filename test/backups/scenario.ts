import type { Owner } from "../support/databases/postgres-programs.ts";
import type { Processes } from "../support/servers/process.ts";

/** The measurements of a scenario, by name. */
export type Figures = Readonly<Record<string, string>>;

export interface Setting {
  readonly processes: Processes;
  /** The folder with the programs of PostgreSQL. */
  readonly programs: string;
  /** The system user of PostgreSQL. */
  readonly owner: Owner | undefined;
  /** A folder owned by that user. */
  readonly folder: string;
  /** How many users to import. */
  readonly users: number;
}

/** Measures how long something takes. */
export async function time<T>(run: () => Promise<T>): Promise<{ result: T; seconds: string }> {
  const since = performance.now();
  const result = await run();
  return { result, seconds: `${((performance.now() - since) / 1_000).toFixed(1)} s` };
}

/** The environment of documented commands. */
export function environmentOf({ programs, folder }: Setting, variables: Record<string, string>) {
  return { PATH: `${programs}:${process.env.PATH}`, BACKUPS: folder, ...variables };
}
