import { createHash } from "node:crypto";
import { createReadStream, existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { ConfigError } from "../../config.ts";
import { makeFolder } from "../../files.ts";
import type { Target } from "../moving-api.ts";
import type { ImportOptions } from "../options.ts";
import type { InputFile } from "../reading/read-records.ts";
import { identifyRun } from "./identify-run.ts";

/** What `run.json` says about a run. */
interface RunState {
  readonly run: string;
  readonly from: string;
  readonly place: string;
  readonly orgId: string;
  readonly orgName: string;
  readonly files: readonly { readonly name: string; readonly sha256: string }[];
  readonly options: ImportOptions;
  /** Part of the idempotency keys. An import after an undo has another one. */
  readonly key: string;
  readonly state: "checked" | "started" | "complete" | "undone";
  /** When the run began to write, by the clock of the target. */
  readonly startedAt?: string | undefined;
  /** Milliseconds that it has run. */
  readonly ranMs: number;
}

/** The folder of a run. */
export interface RunFolder {
  readonly path: string;
  readonly files: RunFiles;
  readonly state: RunState;
  /** Replaces `run.json` at once. */
  save(changes: Partial<RunState>): void;
}

export type RunFiles = ReturnType<typeof filesIn>;

function filesIn(path: string) {
  return {
    state: join(path, "run.json"),
    /** The outcomes of the check: records that are refused or skipped without a call. */
    check: join(path, "check.ndjson"),
    report: join(path, "report.ndjson"),
    /** Numbers below which records may have been sent. */
    sent: join(path, "sent.ndjson"),
    /** What updates are about to change of users, with the earlier values. */
    updates: join(path, "updates.ndjson"),
    ids: join(path, "ids.csv"),
    summary: join(path, "summary.json"),
    index: join(path, "index.db"),
  };
}

interface Identity {
  readonly from: string;
  readonly target: Target;
  readonly files: readonly InputFile[];
  readonly options: ImportOptions;
}

/**
 * Opens the folder of the run with this source, target, files and options, and creates it if there is none.
 *
 * @param runs The folder with the folders of all runs.
 */
export async function openRunFolder(runs: string, identity: Identity): Promise<RunFolder> {
  const { from, target, options } = identity;
  const files = await hashFiles(identity.files);
  const contents = files.map(({ sha256 }) => sha256);
  const { run, key } = await identifyRun({ from, place: target.place, orgId: target.org.id, contents, options });
  const path = join(runs, run);
  if (existsSync(join(path, "run.json"))) return openExisting(path);
  makeFolder(resolve(path));
  const { place, org } = target;
  const state: RunState = {
    ...{ run, from, place, orgId: org.id, orgName: org.name, files, options },
    ...{ key, state: "checked", ranMs: 0 },
  };
  return createFolder(path, state);
}

/**
 * Opens the folder of an earlier run.
 *
 * @param named The folder, or the name of the run in `runs`.
 * @throws ConfigError if it is none.
 */
export function findRunFolder(runs: string, named: string): RunFolder {
  const path = [named, join(runs, basename(named))].find((each) => existsSync(join(each, "run.json")));
  if (path === undefined) throw new ConfigError(`neither ${named} nor ${join(runs, named)} is the folder of a run`);
  return openExisting(path);
}

function openExisting(path: string): RunFolder {
  return createFolder(path, JSON.parse(readFileSync(join(path, "run.json"), "utf8")));
}

function createFolder(path: string, first: RunState): RunFolder {
  let state = first;
  const files = filesIn(path);
  const folder: RunFolder = {
    path,
    files,
    get state() {
      return state;
    },
    save(changes) {
      state = { ...state, ...changes };
      writeFileSync(`${files.state}.new`, `${JSON.stringify(state, undefined, 2)}\n`, { mode: 0o600 });
      renameSync(`${files.state}.new`, files.state);
    },
  };
  if (!existsSync(files.state)) folder.save({});
  return folder;
}

/** Renames the results of a run that was undone, so that they stay, and a later import of the same files has its own. */
export function setAside(files: RunFiles): void {
  const undone = new Date().toISOString().replaceAll(/[:.]/g, "-");
  for (const file of [files.report, files.sent, files.updates, files.ids, files.summary]) {
    if (existsSync(file)) renameSync(file, file.replace(/(\.\w+)$/, `-undone-${undone}$1`));
  }
}

async function hashFiles(files: readonly InputFile[]) {
  const hashed: { name: string; sha256: string }[] = [];
  for (const { name, path } of files) hashed.push({ name, sha256: await hashFile(name, path) });
  return hashed;
}

async function hashFile(name: string, path: string): Promise<string> {
  const hash = createHash("sha256");
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 })) hash.update(chunk);
  } catch (error) {
    throw new ConfigError(`cannot read ${name}: ${(error as Error).message}`);
  }
  return hash.digest("hex");
}
