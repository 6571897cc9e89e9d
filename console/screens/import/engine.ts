import { timestampDate } from "@bufbuild/protobuf/wkt";
import { createBrowserRules } from "../../../src/moving/browser-rules.ts";
import { checkRecords } from "../../../src/moving/checking/check-records.ts";
import { type Column, readColumns } from "../../../src/moving/columns/columns.ts";
import { findMerges } from "../../../src/moving/converting/find-merges.ts";
import { createMemoryIndex } from "../../../src/moving/memory-index.ts";
import type { Target } from "../../../src/moving/moving-api.ts";
import type { ImportOptions } from "../../../src/moving/options.ts";
import { joinRecords } from "../../../src/moving/reading/read-users.ts";
import { createFinishedRecords } from "../../../src/moving/report/finished-records.ts";
import { identifyRun } from "../../../src/moving/report/identify-run.ts";
import type { Counts, Outcome } from "../../../src/moving/report/outcome.ts";
import { readRefused } from "../../../src/moving/report/read-refused.ts";
import type { UpdateJournal, UpdateLine } from "../../../src/moving/report/update-journal.ts";
import { sendRecords } from "../../../src/moving/running/send-records.ts";
import { sha256 } from "../../../src/moving/sha-256.ts";
import type { Source } from "../../../src/moving/source.ts";
import { SOURCES } from "../../../src/moving/sources.ts";
import { type Api, toMovingApi } from "../../api/api.ts";
import { createFilesInput } from "./files-input.ts";
import { AT_ONCE, MOST_ROWS } from "./limits.ts";
import { readRefusedTable } from "./refused-table.ts";
import { createReport, type Report, sumOf } from "./report.ts";
import { createUndo, type Round } from "./undo.ts";

/** What to import, and to where. */
export interface Job {
  readonly api: Api;
  /** The origin of the service. */
  readonly issuer: string;
  readonly orgId: string;
  /** The id of the person, who is the editor of the events. */
  readonly callerId: string;
  /** The name of the source. */
  readonly from: string;
  readonly files: readonly File[];
  readonly options: ImportOptions;
}

interface Watch<Progress> {
  /** Ends the work early. */
  readonly stopped: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
}

/** What goes on in a later round, which imports the refused records of this one. */
interface Earlier {
  readonly run: string;
  readonly report: Report;
  readonly rounds: readonly Round[];
}

/** An import whose records were checked. */
export type CheckedImport = Awaited<ReturnType<typeof checkImport>>;

/** Names of providers that are offered. */
const MOST_PROVIDERS = 50;

/**
 * Reads and checks all records, and changes nothing.
 *
 * @param earlier The import whose refused records these are.
 * @param watch.onProgress Gets the number of records that were checked.
 * @throws ConfigError for files that cannot be imported; TooManyRecords.
 */
export async function checkImport(job: Job, { stopped, onProgress }: Watch<number>, earlier?: Earlier) {
  const { files, options } = job;
  const providers = new Set<string>();
  const source = noteProviders(requireSource(job.from), providers);
  const contents: string[] = [];
  for (const file of files) contents.push(await sha256(new Uint8Array(await file.arrayBuffer())));
  const { run, key } = await identifyRun({ from: job.from, place: job.issuer, orgId: job.orgId, contents, options });
  const { isSupportedCountry, parsePhoneNumberFromString } = await import("./phones.ts");
  const rules = createBrowserRules({ isSupportedCountry, parsePhoneNumberFromString });
  const input = createFilesInput(files, source);
  const index = createMemoryIndex();
  const joined = await joinRecords(input, source, index);
  const target = createTarget(job);
  const merges = await findMerges({ input, index, source, joined, options, target, stopped });
  const shared = { index, source, joined, merges, options, rules, target, concurrency: AT_ONCE };
  const [refused, updates]: [Outcome[], Outcome[]] = [[], []];
  const findings = await checkRecords({
    ...{ ...shared, isChecked: false, stopped, finished: createFinishedRecords() },
    ...{ input, onProgress, report: { append } },
  });
  function append(outcome: Outcome): void {
    if (outcome.outcome !== "updated") refused.push(outcome);
    else if (updates.length < MOST_ROWS) updates.push(outcome);
  }
  const report = createReport(earlier?.report);
  const journal = createJournal();
  const update = { journal, index, callerId: job.callerId, sendsMessages: options.messages === "send" };
  const before = sumOf(report.counts);
  const rounds = [...(earlier?.rounds ?? []), { key, updates: journal.lines }];
  let startedAt: Date | undefined;
  return {
    ...{ job, findings, report, rounds },
    /** The name that the command would give the run. */
    run: earlier?.run ?? run,
    /** The number of outcomes when all records have one. */
    total: before + findings.records,
    /** Records that belong to users, such as those of a second file with passwords. */
    joined: joined?.count ?? 0,
    /** The names of the providers to which users have links, as the source has them. */
    providers: [...providers],
    /** The first users whom an update changes. */
    updates,
    /**
     * Imports the users without an outcome. After a pause, it continues.
     *
     * @returns Whether all records have an outcome.
     * @throws ConfigError if the service accepts no calls.
     */
    async start(watch: Watch<Counts>): Promise<boolean> {
      // A merged record is reported with its user.
      if (startedAt === undefined) for (const outcome of refused) if (outcome.outcome !== "merged") report.add(outcome);
      startedAt ??= await readTime(job);
      return sendRecords({
        ...{ ...shared, input, isChecked: true, finished: report.finished, maybeSent: 0, key, startedAt },
        update: options.update ? update : undefined,
        stopped: watch.stopped,
        onOutcome(outcome) {
          report.add(outcome);
          watch.onProgress(report.counts);
        },
      });
    },
    /** Removes the users whom the import has made, and gives those whom it has changed their earlier values back. */
    undo: () => createUndo(job.api, { orgId: job.orgId, outcomes: report.outcomes, rounds }),
    /** The refused records with their values, to be corrected in the page; undefined unless they are of one table. */
    refusedTable: () => readRefusedTable(input, source, report),
    /** The refused records as files, to be corrected and imported. */
    async refusedFiles(): Promise<File[]> {
      const parts = { ndjson: [] as Uint8Array<ArrayBuffer>[], csv: [] as Uint8Array<ArrayBuffer>[] };
      for await (const { format, lines } of readRefused(input, source, report.finished)) {
        for (const line of lines) parts[format].push(new Uint8Array(line), LINE_FEED);
      }
      return Object.entries(parts).flatMap(([format, bytes]) =>
        bytes.length === 0 ? [] : new File(bytes, `refused.${format}`),
      );
    },
  };
}

/** Notes the earlier values in memory, until the page is left. */
function createJournal() {
  const lines: UpdateLine[] = [];
  const changes = new Map<number, UpdateLine["changes"]>();
  const findEarlier: UpdateJournal["findEarlier"] = (n) => changes.get(n) ?? [];
  return {
    lines,
    findEarlier,
    note(line: UpdateLine) {
      lines.push(line);
      changes.set(line.n, [...findEarlier(line.n), ...line.changes]);
    },
    close() {},
  };
}

/** The columns of a table, from its first records. */
export async function readTable(files: readonly File[]): Promise<readonly Column[]> {
  const source = requireSource("csv");
  return (await readColumns(createFilesInput(files, source), source, {})) ?? [];
}

const LINE_FEED = Uint8Array.of(0x0a);

function requireSource(name: string): Source {
  const source = SOURCES[name];
  if (source === undefined) throw new Error(`there is no source ${name}`);
  return source;
}

/** A source that notes the providers to which users have links. */
function noteProviders(source: Source, providers: Set<string>): Source {
  return {
    ...source,
    convert(record, options) {
      const converted = source.convert(record, options);
      const links = converted.kind === "user" ? (converted.user.links ?? []) : [];
      for (const { provider } of links) if (providers.size < MOST_PROVIDERS) providers.add(provider);
      return converted;
    },
  };
}

/** The organization of the page takes all users. */
function createTarget({ api, issuer, orgId, callerId }: Job): Target {
  const org = { id: orgId, name: "" };
  return {
    api: toMovingApi(api),
    place: issuer,
    org,
    callerId,
    findOrg: async () => org,
    listOtherOrgs: async () => [],
  };
}

/** The time by the clock of the service. */
async function readTime({ api }: Job): Promise<Date> {
  const { details } = await api.management.listUsers({ query: { limit: 1 } });
  return details?.viewTimestamp === undefined ? new Date() : timestampDate(details.viewTimestamp);
}
