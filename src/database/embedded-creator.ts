/**
 * A process that creates the data of an embedded database in the empty folder that its argument names, started by
 * `embedded.ts`.
 */
import { PGlite } from "@electric-sql/pglite";

const database = await PGlite.create(process.argv[2]);
await database.close();
process.exit(0);
