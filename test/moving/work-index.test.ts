import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDiskIndex } from "../../src/moving/disk-index.ts";
import { createMemoryIndex } from "../../src/moving/memory-index.ts";

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

  test("returns the values of a user in the order in which they were added", () => {
    const index = open();
    index.addValues("1", "a");
    index.addValues("2", "b");
    index.addValues("1", "c");
    expect([index.findValues("1"), index.findValues("2"), index.findValues("3")]).toEqual([["a", "c"], ["b"], []]);
    index.close();
  });
});

test("the file of an index is removed", () => {
  const path = join(folder, "closed.db");
  const index = createDiskIndex(path);
  expect(existsSync(path)).toBe(true);
  index.close();
  expect(existsSync(path)).toBe(false);
});
