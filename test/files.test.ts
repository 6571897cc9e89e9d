import { existsSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeFolder } from "../src/files.ts";

const root = mkdtempSync(join(tmpdir(), "signet-files-"));
afterAll(() => rmSync(root, { recursive: true }));

test("a folder is created with those above it, of mode 0700, and left as it is where it exists", () => {
  const folder = join(root, "a", "b", "c");
  makeFolder(folder);
  for (const one of [join(root, "a"), join(root, "a", "b"), folder]) expect(statSync(one).mode & 0o777).toBe(0o700);
  writeFileSync(join(folder, "file"), "");
  makeFolder(folder);
  expect(existsSync(join(folder, "file"))).toBe(true);
});

test.each([
  ["below a file", () => writeFileSync(join(root, "file"), ""), join(root, "file", "folder"), "ENOTDIR"],
  ["in place of a file", () => writeFileSync(join(root, "taken"), ""), join(root, "taken"), "EEXIST"],
  ["below a link to nothing", () => symlinkSync("nothing", join(root, "link")), join(root, "link", "folder"), "ENOENT"],
])("a folder %s cannot be created", (_where, prepare, folder, code) => {
  prepare();
  expect(() => makeFolder(folder)).toThrow(expect.objectContaining({ code }));
});

const testOnLinux = process.platform === "linux" ? test : test.skip;
testOnLinux("a folder in a file system that takes none cannot be created, and the attempt ends", () => {
  expect(() => makeFolder("/proc/signet/folder")).toThrow(
    expect.objectContaining({ code: expect.stringMatching(/^(ENOENT|EACCES)$/) }),
  );
});
