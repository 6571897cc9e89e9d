import fs, { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openLineFile } from "../../../src/moving/report/append-lines.ts";

const folder = mkdtempSync(join(tmpdir(), "signet-append-lines-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** From now on, a write fits only in part, and the next one fails, as on a full disk. Returns what frees space. */
function fillDisk(): () => void {
  const { writeSync } = fs;
  let isFull = false;
  fs.writeSync = ((descriptor: number, bytes: Uint8Array) => {
    if (isFull) throw Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
    isFull = true;
    return writeSync(descriptor, bytes, 0, bytes.length >> 1);
  }) as typeof writeSync;
  syncBuiltinESMExports();
  return () => {
    fs.writeSync = writeSync;
    syncBuiltinESMExports();
  };
}

test("what was written before the disk was full is not written again", () => {
  const path = join(folder, "report.ndjson");
  const file = openLineFile(path);
  const free = fillDisk();
  try {
    file.append({ n: 0, id: "first" });
    file.append({ n: 1, id: "second" });
    expect(() => file.flush()).toThrow("no space left on device");
    file.tryFlush();
    expect(() => file.close()).toThrow("no space left on device");
  } finally {
    free();
  }
  file.append({ n: 2, id: "third" });
  file.close();
  expect(readFileSync(path, "utf8")).toBe('{"n":0,"id":"first"}\n{"n":1,"id":"second"}\n{"n":2,"id":"third"}\n');
});
