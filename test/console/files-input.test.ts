import { gzipSync, zstdCompressSync } from "node:zlib";
import { createFilesInput } from "../../console/screens/import/files-input.ts";
import { MOST_RECORDS, TooManyRecords } from "../../console/screens/import/limits.ts";
import { csv } from "../../src/moving/sources/csv.ts";

function rows(count: number): string {
  return ["id,email", ...Array.from({ length: count }, (_, n) => `${n},user-${n}@example.com`)].join("\n");
}

async function readAll(files: readonly File[], now?: () => number) {
  const batches: number[] = [];
  let problem: string | undefined;
  for await (const records of createFilesInput(files, csv, now).read()) {
    batches.push(records.length);
    problem ??= records.find((record) => record.problem !== undefined)?.problem;
  }
  return { batches, count: batches.reduce((sum, length) => sum + length, 0), problem };
}

test("records are given in small batches, and other tasks run between them", async () => {
  let clock = 0;
  let turns = 0;
  let timer = setTimeout(count);
  function count() {
    turns += 1;
    timer = setTimeout(count);
  }
  // Every batch takes longer than a turn.
  const { batches, count: total } = await readAll([new File([rows(2_000)], "users.csv")], () => {
    clock += 20;
    return clock;
  });
  clearTimeout(timer);
  expect(total).toBe(2_000);
  expect(Math.max(...batches)).toBeLessThanOrEqual(100);
  expect(turns).toBeGreaterThanOrEqual(batches.length - 1);
});

test("several files are read in order, also compressed with gzip", async () => {
  const { count, problem } = await readAll([
    new File([rows(3)], "one.csv"),
    new File([new Uint8Array(gzipSync(rows(4)))], "two.csv.gz"),
  ]);
  expect([count, problem]).toEqual([7, undefined]);
});

test("the end of a truncated archive is a record that cannot be read", async () => {
  const bytes = new Uint8Array(gzipSync(rows(5_000)));
  const { problem } = await readAll([new File([bytes.subarray(0, bytes.length - 1_000)], "users.csv.gz")]);
  expect(problem).toMatch(/^cannot be read, nor anything after it: /);
});

test("zstd is refused with a reason", async () => {
  const file = new File([new Uint8Array(zstdCompressSync(rows(3)))], "users.csv.zst");
  await expect(readAll([file])).rejects.toThrow("cannot read users.csv.zst: browsers cannot decompress zstd");
});

test("more records than the page takes are refused", async () => {
  await expect(readAll([new File([rows(MOST_RECORDS + 1)], "users.csv")])).rejects.toThrow(TooManyRecords);
});
