import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readLines } from "../../../src/moving/report/read-outcomes.ts";

const folder = mkdtempSync(join(tmpdir(), "signet-read-outcomes-"));
afterAll(() => rmSync(folder, { recursive: true }));

test.each(['{"n":2}', '{"n":2', '{"n":2,"changes":[{"from":{"value":"a"}', ""])(
  "a last line that was cut, %s, is left out",
  async (cut) => {
    const path = join(folder, "report.ndjson");
    writeFileSync(path, `{"n":0}\n{"n":1}\n${cut}`);
    const lines: object[] = [];
    for await (const line of readLines<object>(path)) lines.push(line);
    expect(lines).toEqual([{ n: 0 }, { n: 1 }]);
  },
);
