import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync, zstdCompressSync } from "node:zlib";
import type { InputRecord } from "../../../src/moving/reading/input-record.ts";
import { readRecords } from "../../../src/moving/reading/read-records.ts";
import type { Source } from "../../../src/moving/source.ts";
import { csv } from "../../../src/moving/sources/csv.ts";

const folder = mkdtempSync(join(tmpdir(), "signet-reading-"));
afterAll(() => rmSync(folder, { recursive: true }));

const convert = () => ({ kind: "skipped" as const, reason: "not converted here" });
const PLAIN: Source = { name: "plain", arrays: [[]], convert };
const NESTED: Source = { name: "nested", arrays: [["users"], [], ["orgs", "*", "members"]], convert };
let files = 0;

async function read(content: string | Buffer, source = PLAIN, name = "export"): Promise<InputRecord[]> {
  files += 1;
  const path = join(folder, `${files}`);
  writeFileSync(path, content);
  const records: InputRecord[] = [];
  for await (const batch of readRecords([{ name, path }], source)) records.push(...batch);
  return records;
}

/** The line and the value or problem of each record. */
function brief(records: readonly InputRecord[]): unknown[] {
  return records.map(({ line, value, problem }) => [line, value ?? problem]);
}

const TWO = [
  [1, { id: "1" }],
  [2, { id: "2" }],
];

describe("NDJSON", () => {
  test("has a record on each line that is not empty", async () => {
    const records = await read('{"id":"1"}\n\n  \n{"id":"2"}');
    expect(brief(records)).toEqual([
      [1, { id: "1" }],
      [4, { id: "2" }],
    ]);
    expect(records.map(({ raw }) => Buffer.from(raw ?? []).toString())).toEqual(['{"id":"1"}', '{"id":"2"}']);
  });

  test.each([
    ["a byte order mark", Buffer.from('\ufeff{"id":"1"}\n{"id":"2"}\n')],
    ["CRLF", Buffer.from('{"id":"1"}\r\n{"id":"2"}\r\n')],
    ["gzip", gzipSync('{"id":"1"}\n{"id":"2"}\n')],
    ["zstd", zstdCompressSync(Buffer.from('{"id":"1"}\n{"id":"2"}\n'))],
  ])("is read with %s", async (_what, content) => {
    expect(brief(await read(content))).toEqual(TWO);
  });

  test("broken lines are records with a problem, and the others arrive", async () => {
    const content = Buffer.concat([
      Buffer.from('{"id":"1"}\n{"id":"2\n'),
      Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d, 0x0a]),
      Buffer.from('[1]\n"text"\nnull\n'),
      Buffer.from(`{"id":"${"x".repeat(10 * 1024 * 1024)}"}\n`),
      Buffer.from('{"id":"8"}\n{"id":"9"'),
    ]);
    expect(brief(await read(content))).toEqual([
      [1, { id: "1" }],
      [2, "is not valid JSON"],
      [3, expect.stringMatching(/^is not valid UTF-8; /)],
      [4, "is not an object"],
      [5, "is not an object"],
      [6, "is not an object"],
      [7, "has more than 4 MiB"],
      [8, { id: "8" }],
      [9, "is not valid JSON"],
    ]);
  });

  test("a line that is split between chunks is read whole", async () => {
    const lines = Array.from({ length: 20_000 }, (_, n) => JSON.stringify({ id: `${n}`, name: "é".repeat(n % 50) }));
    const records = await read(lines.join("\n"));
    expect(records.map(({ value }) => JSON.stringify(value))).toEqual(lines);
  });

  test.each([
    ["gzip", gzipSync(ndjson(5_000), { level: 0 })],
    ["zstd", zstdCompressSync(Buffer.from(ndjson(5_000)))],
  ])("a truncated file in %s ends with a problem after the lines before", async (_what, content) => {
    const records = await read(content.subarray(0, content.length - 40));
    const problems = records.filter(({ problem }) => problem !== undefined);
    expect(records.length).toBeGreaterThan(1);
    expect(problems.at(-1)?.problem).toMatch(/^cannot be read, nor anything after it: /);
    expect(records.filter(({ value }) => value !== undefined)).toHaveLength(records.length - problems.length);
  });

  test("UTF-16 is read", async () => {
    const content = Buffer.from('\ufeff{"id":"1"}\n{"id":"é"}', "utf16le");
    const expected = [
      [1, { id: "1" }],
      [2, { id: "é" }],
    ];
    expect(brief(await read(content))).toEqual(expected);
    expect(brief(await read(Buffer.from(content).swap16()))).toEqual(expected);
    expect(brief(await read(Buffer.from("\ufeffid\tname\r\n1\tÄ", "utf16le")))).toEqual([[2, { id: "1", name: "Ä" }]]);
  });

  test("a missing file is an error", async () => {
    await expect(async () => {
      for await (const _ of readRecords([{ name: "gone", path: join(folder, "gone") }], PLAIN));
    }).rejects.toThrow("cannot read gone");
  });
});

function ndjson(count: number): string {
  return Array.from({ length: count }, (_, n) => `{"id":"${n}","value":"${Math.sin(n)}"}\n`).join("");
}

describe("JSON", () => {
  test("an array has a record in each item, with its line", async () => {
    expect(brief(await read('[{"id":"1"},\n{"id":"2"}]'))).toEqual(TWO);
    expect(brief(await read('\ufeff[\n  {\n    "id": "1"\n  },\n  {\n    "id": "2"\n  }\n]\n'))).toEqual([
      [2, { id: "1" }],
      [5, { id: "2" }],
    ]);
  });

  test("several arrays follow each other", async () => {
    expect(brief(await read('[{"id":"1"}]\n[{"id":"2"}]\n[]'))).toEqual(TWO);
  });

  test("the arrays of a document are found, with what is beside and above them as context", async () => {
    const document = {
      realm: "r",
      other: [{ id: "no" }],
      users: [{ id: "1" }, { id: "2", deep: [{ id: "no" }] }],
      last: 1,
    };
    const context = { realm: "r" };
    const expected = [
      { id: "1", context },
      { id: "2", deep: [{ id: "no" }], context },
    ];
    for (const text of [JSON.stringify(document), JSON.stringify(document, undefined, 2)]) {
      expect((await read(text, NESTED)).map(({ value }) => value)).toEqual(expected);
    }
    const orgs = {
      orgs: [
        { id: "a", org: { name: "A" }, members: [{ id: "1" }] },
        { id: "b", members: [{ id: "2" }] },
      ],
    };
    expect((await read(JSON.stringify(orgs, undefined, 1), NESTED)).map(({ value }) => value)).toEqual([
      { id: "1", context: { id: "a", org: { name: "A" } } },
      { id: "2", context: { id: "b" } },
    ]);
  });

  test("a table of one's own can be a document with an array, on several lines or on one", async () => {
    const users = [
      { id: "1", email: "a@example.com" },
      { id: "2", email: "b@example.com" },
    ];
    for (const name of ["users", "data", "Resources", "value"]) {
      for (const space of [0, 2]) {
        const records = await read(JSON.stringify({ count: 2, [name]: users }, null, space), csv);
        expect(records.map(({ value }) => value)).toMatchObject(users);
      }
    }
    expect(await read(users.map((user) => JSON.stringify(user)).join("\n"), csv)).toHaveLength(2);
  });

  test("NDJSON of a source with documents is told apart from one", async () => {
    expect(brief(await read('{"id":"1"}\n{"id":"2"}', NESTED))).toEqual(TWO);
  });

  test("a syntax error and an early end are the last record", async () => {
    const problem = "is not valid JSON; nothing after it was read";
    expect(brief(await read('[{"id":"1"},\n{"id":"2"},\n{"id":oops},\n{"id":"4"}]'))).toEqual([...TWO, [3, problem]]);
    expect(brief(await read('[{"id":"1"},\n{"id":"2"},\n{"id":"3'))).toEqual([...TWO, [3, problem]]);
  });

  test("items that are no objects are records with a problem", async () => {
    expect(brief(await read('[{"id":"1"},\n5,\n[6]]'))).toEqual([
      [1, { id: "1" }],
      [expect.any(Number), "is not an object"],
      [3, "is not an object"],
    ]);
  });
});

describe("CSV", () => {
  test("the first row names the columns", async () => {
    const records = await read('id,name\r\n1,"Lovelace, ""Ada"""\r\n\r\n2,"two\nlines"\r\n3,x');
    expect(brief(records)).toEqual([
      [2, { id: "1", name: 'Lovelace, "Ada"' }],
      [4, { id: "2", name: "two\nlines" }],
      [6, { id: "3", name: "x" }],
    ]);
    expect(Buffer.from(records[0]?.csv?.header ?? []).toString()).toBe("id,name");
  });

  test.each([
    ["semicolons", "id;name\n1;a,b\n"],
    ["tabs", "id\tname\n1\ta,b\n"],
    ["bars", "id|name\n1|a,b\n"],
  ])("has %s between values", async (_what, content) => {
    expect(brief(await read(content))).toEqual([[2, { id: "1", name: "a,b" }]]);
  });

  test("a first line can say what is between values", async () => {
    expect(brief(await read("sep=;\r\nid;a,b,c\r\n1;x\r\n"))).toEqual([[3, { id: "1", "a,b,c": "x" }]]);
  });

  test("comments are no rows", async () => {
    expect(brief(await read("# users, of 2024\nid,name\n# the first\n1,a\n# 2,b\n"))).toEqual([
      [4, { id: "1", name: "a" }],
      [5, { id: "# 2", name: "b" }],
    ]);
  });

  test("broken rows are records with a problem, and the others arrive", async () => {
    const content = Buffer.concat([
      Buffer.from('\ufeffid,name\n1,a\n2\n3,a,b\n4,"a"b\n'),
      Buffer.from([0x35, 0x2c, 0xff, 0x0a]),
      Buffer.from('6,"never closed\n7,b\n8,c\n'),
    ]);
    expect(brief(await read(content))).toEqual([
      [2, { id: "1", name: "a" }],
      [3, "has 1 values; expected 2, one for each column"],
      [4, "has 3 values; expected 2, one for each column"],
      [5, "is not valid CSV: a quote is missing or misplaced"],
      [6, expect.stringMatching(/^is not valid UTF-8; .*Windows-1252/)],
      [7, "is not valid CSV: a quote is missing or misplaced"],
      [8, { id: "7", name: "b" }],
      [9, { id: "8", name: "c" }],
    ]);
  });

  test("a wrong quote does not take the rows up to the next one with it", async () => {
    expect(brief(await read('id,name\n1,"a\n2,b\n3,c\n4,"d\n5,"e\nf"\n'))).toEqual([
      [2, expect.stringContaining("a quote is missing")],
      [3, { id: "2", name: "b" }],
      [4, { id: "3", name: "c" }],
      [5, expect.stringContaining("a quote is missing")],
      [6, { id: "5", name: "e\nf" }],
    ]);
  });

  test("a source can know the columns", async () => {
    const source = { ...PLAIN, csvColumns: ["id", "", "name"] };
    expect(brief(await read("1,x,a\n2,y,b\n", source, "users.csv"))).toEqual([
      [1, { id: "1", name: "a" }],
      [2, { id: "2", name: "b" }],
    ]);
  });

  test("a header with a column twice is an error", async () => {
    await expect(read("id,name,id\n1,a,2\n")).rejects.toThrow('export: the header has the column "id" twice');
  });
});
