/** Writes the statements that the service prepares to `gen/statements.sql`, by file. `npm run generate` runs it. */
import { writeFileSync } from "node:fs";
import { formatSql } from "./format-sql.ts";
import { readStatements } from "./read-statements.ts";

const statements = await readStatements();
const sections = statements.map(({ file, sql }) => `-- ${file}\n${formatSql(sql)};\n`).sort();
writeFileSync("gen/statements.sql", sections.join("\n"));
