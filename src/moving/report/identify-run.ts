import { type ImportOptions, onlyImportOptions } from "../options.ts";
import { sha256 } from "../sha-256.ts";

/** What makes two imports the same run. */
interface RunIdentity {
  /** The name of the source. */
  readonly from: string;
  /** The origin of the server, or `database`. */
  readonly place: string;
  readonly orgId: string;
  /** SHA-256 of each file, in hexadecimal. */
  readonly contents: readonly string[];
  readonly options: ImportOptions;
}

/**
 * Names a run. The command and the console give the same import the same name and key, so that users who were imported by one are not
 * imported again by the other.
 */
export async function identifyRun({ from, place, orgId, contents, options }: RunIdentity) {
  const key = await sha256(JSON.stringify([from, place, orgId, contents, onlyImportOptions(options)]));
  return { run: `${from}-${key.slice(0, 12)}`, key };
}
