/**
 * Process that creates the data of an embedded database in the empty folder given as its argument. Started by
 * `embedded.ts`.
 */
import { PGlite } from "@electric-sql/pglite";

const database = await PGlite.create(process.argv[2]);
await database.close();
process.exit(0);
