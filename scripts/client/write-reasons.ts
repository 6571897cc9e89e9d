/** Writes the reasons of the TypeScript client: `node scripts/client/write-reasons.ts`, part of `npm run generate`. */
import { writeFileSync } from "node:fs";
import { createReasons } from "./create-reasons.ts";

writeFileSync("clients/typescript/src/reasons.ts", createReasons());
