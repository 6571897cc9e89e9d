/**
 * Writes the pages of the guide to `gen/guide`, and the list of its files. `npm run generate` runs it, after the scripts that write to
 * `docs`.
 */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { buildGuide } from "./guide/build-guide.ts";

const files = buildGuide(process.cwd());
rmSync("gen/guide", { recursive: true, force: true });
for (const { file, text } of files) {
  if (text === undefined) continue;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
const list = files.map(({ path, type, file }) => JSON.stringify({ path, type, file }));
writeFileSync("gen/guide/files.json", `[${list.join(",\n")}]\n`);
