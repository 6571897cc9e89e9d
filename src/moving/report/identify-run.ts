import type { ImportOptions } from "../options.ts";
import { sha256 } from "../sha-256.ts";

/** What makes two imports the same run. */
export interface RunIdentity {
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
  const key = await sha256(JSON.stringify([from, place, orgId, contents, inOrder(options)]));
  return { run: `${from}-${key.slice(0, 12)}`, key };
}

/** The same options are the same text, wherever they come from. */
function inOrder(options: ImportOptions): ImportOptions {
  const { names, subjects, messages, idps, orgs, dropInvalid, allowShared, map, defaultRegion, rpId, firebase } =
    options;
  const byName = (pairs: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(pairs).sort(([one], [other]) => (one < other ? -1 : 1)));
  return {
    ...{
      names,
      subjects,
      messages,
      idps: byName(idps),
      orgs: byName(orgs),
      dropInvalid,
      allowShared,
      map: byName(map),
    },
    ...(defaultRegion === undefined ? {} : { defaultRegion }),
    ...(rpId === undefined ? {} : { rpId }),
    ...(firebase === undefined ? {} : { firebase }),
  };
}
