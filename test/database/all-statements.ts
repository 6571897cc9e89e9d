import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { compileStatements } from "../../src/database/prepare.ts";

/** Returns the text of every statement that the service prepares. Imports the modules, regardless of imports by other tests. */
export async function readAllStatements(): Promise<string[]> {
  for (const name of readdirSync("src", { recursive: true, encoding: "utf8" })) {
    const file = resolve("src", name);
    if (!name.endsWith(".ts") || !/\bprepare[A-Z]\w*[<(]/.test(readFileSync(file, "utf8"))) continue;
    await import(pathToFileURL(file).href);
  }
  return await compileStatements();
}
