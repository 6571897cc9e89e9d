import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { compileStatements } from "../../src/database/prepare.ts";

/** A statement that the service prepares. */
interface SourceStatement {
  /** The file that prepares it, such as `src/users/read/list-users.ts`; correct only if no module is loaded yet. */
  readonly file: string;
  readonly sql: string;
}

/** Returns all statements that the service prepares. Imports their modules. */
export async function readStatements(): Promise<SourceStatement[]> {
  const found: SourceStatement[] = [];
  const visited = new Set<string>();

  /** Visits the imports of a file first. The statements that are new after its own import are then those of the file. */
  async function visit(file: string): Promise<void> {
    if (visited.has(file)) return;
    visited.add(file);
    const text = readFileSync(file, "utf8");
    for (const [, path = ""] of text.matchAll(/ from "(\.[^"]+\.ts)"/g)) await visit(join(dirname(file), path));
    if (!/\b(prepare[A-Z]\w*|compileEarly)[<(]/.test(text)) return;
    await import(pathToFileURL(resolve(file)).href);
    for (const sql of (await compileStatements()).slice(found.length)) found.push({ file, sql });
  }

  const files = readdirSync("src", { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
  for (const name of files.sort()) await visit(join("src", name));
  return found;
}
