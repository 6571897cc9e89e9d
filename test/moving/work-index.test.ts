import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { create } from "@bufbuild/protobuf";
import { ImportHumanUserRequestSchema } from "../../gen/signet/v1/management_pb.js";
import { restoreName } from "../../src/moving/converting/free-name.ts";
import { createDiskIndex } from "../../src/moving/disk-index.ts";
import { createMemoryIndex } from "../../src/moving/memory-index.ts";
import { joinRecords } from "../../src/moving/reading/read-users.ts";
import { fusionauth } from "../../src/moving/sources/fusionauth.ts";

const folder = mkdtempSync(join(tmpdir(), "signet-index-"));
afterAll(() => rmSync(folder, { recursive: true }));

describe.each([
  ["on disk", () => createDiskIndex(join(folder, "index.db"))],
  ["in memory", createMemoryIndex],
])("the index %s", (_, open) => {
  test("returns the first place of a value, for each kind", () => {
    const index = open();
    const [first, second] = [
      { file: 0, line: 2 },
      { file: 1, line: 9 },
    ];
    expect(index.claim("userName", "ada", first)).toBeUndefined();
    expect(index.claim("userName", "ada", second)).toEqual(first);
    expect(index.claim("email", "ada", second)).toBeUndefined();
    expect(index.claim("userName", "grace", second)).toBeUndefined();
    index.close();
  });

  test("returns the values of a key in the order in which they were added, for each kind", () => {
    const index = open();
    index.addValues("joined", "1", "a");
    index.addValues("joined", "2", "b");
    index.addValues("joined", "1", "c");
    index.addValues("name", 1, "d");
    expect(["1", "2", "3"].map((key) => index.findValues("joined", key))).toEqual([["a", "c"], ["b"], []]);
    expect(index.findValues("name", 1)).toEqual(["d"]);
    index.close();
  });
});

test("no id of an export reaches the values of other records", async () => {
  const index = createMemoryIndex();
  const ids = ["name 1", "\u0000name 1", "1"];
  const records = ids.map((id, n) => ({ file: "hashes.ndjson", line: n + 1, value: { users_id: id, password: "x" } }));
  const input = {
    names: ["hashes.ndjson"],
    async *read() {
      yield records;
    },
  };
  await joinRecords(input, fusionauth, index);
  const request = create(ImportHumanUserRequestSchema, { userName: "ada" });
  restoreName(index, 1, { request, addressNameSuffix: "" });
  expect(request.userName).toBe("ada");
});

test("the file of an index is removed", () => {
  const path = join(folder, "closed.db");
  const index = createDiskIndex(path);
  expect(existsSync(path)).toBe(true);
  index.close();
  expect(existsSync(path)).toBe(false);
});
