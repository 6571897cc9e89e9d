import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect } from "../../../src/database/connection.ts";
import { startEmbedded } from "../../../src/database/embedded.ts";
import { migrate } from "../../../src/database/migrate.ts";
import { partitionTables } from "../../../src/database/partition.ts";
import { startTestPostgres, type TestPostgres } from "../databases/postgres.ts";
import { generateSigningKeys } from "../oidc/signing-keys.ts";
import { useCompileCache } from "./compile-cache.ts";

declare global {
  var stopTestDatabases: () => Promise<void>;
}

/**
 * Starts PostgreSQL with a migrated template database, and prepares a migrated embedded database, for all tests. With
 * TEST_PARTITIONS, the template's tables have this many partitions.
 */
export default async function setUp(): Promise<void> {
  const memory = useMemoryForFiles();
  const folder = mkdtempSync(join(tmpdir(), "signet-embedded-"));
  const embeddedTemplate = join(folder, "template");
  const template = `signet_template_${process.pid}`;
  const [postgres] = await Promise.all([
    startWithTemplate(template),
    createEmbeddedTemplate(embeddedTemplate),
    useCompileCache(),
  ]);

  // The processes of the workers inherit it. They change their folder, so the path must be absolute.
  process.execArgv.push(`--import=${new URL("./keep-worker-data.ts", import.meta.url)}`);
  process.env.TEST_POSTGRES_URL = postgres.urlOf("postgres");
  process.env.TEST_POSTGRES_TEMPLATE = template;
  process.env.TEST_EMBEDDED_TEMPLATE = embeddedTemplate;
  process.env.TEST_SIGNING_KEYS = generateSigningKeys();
  globalThis.stopTestDatabases = async () => {
    await globalThis.closeSharedDatabase?.();
    await postgres.run(`drop database if exists ${template} with (force)`);
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
    if (memory !== undefined) rmSync(memory, { recursive: true, force: true });
  };
}

/** Linux keeps these files in memory. */
const MEMORY = "/dev/shm";
/** The tests use less than a quarter of it. */
const MIN_FREE_BYTES = 4 * 1_024 ** 3;

/**
 * Creates a temporary folder in memory for all tests, unless TMPDIR is set or memory is short. Each database that a
 * test creates consists of 500 files: PostgreSQL uses a third of the CPU time that it needs on a disk.
 */
function useMemoryForFiles(): string | undefined {
  if (process.env.TMPDIR !== undefined || !existsSync(MEMORY)) return undefined;
  const { bavail, bsize } = statfsSync(MEMORY);
  if (bavail * bsize < MIN_FREE_BYTES) return undefined;
  const folder = mkdtempSync(join(MEMORY, "signet-tests-"));
  // As root, PostgreSQL runs as another user.
  chmodSync(folder, 0o755);
  process.env.TMPDIR = folder;
  return folder;
}

async function startWithTemplate(template: string): Promise<TestPostgres> {
  const postgres = await startTestPostgres();
  process.stderr.write(`${postgres.name}\n`);
  await postgres.run(`create database ${template}`);
  await migrateAt({ url: postgres.urlOf(template) }, Number(process.env.TEST_PARTITIONS ?? 0));
  return postgres;
}

async function createEmbeddedTemplate(dataDir: string): Promise<void> {
  const embedded = await startEmbedded(dataDir);
  await migrateAt({ socketDir: embedded.socketDir });
  await embedded.close();
}

async function migrateAt(address: Parameters<typeof connect>[0], partitions = 0): Promise<void> {
  const db = connect(address, 1, () => {});
  await migrate(db);
  if (partitions > 0) await partitionTables(db, partitions);
  await db.destroy();
}
