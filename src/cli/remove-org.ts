import { setTimeout as delay } from "node:timers/promises";
import { Code, ConnectError } from "@connectrpc/connect";
import { TextQueryMethod } from "../../gen/signet/v1/list_pb.js";
import { ConfigError } from "../config.ts";
import { isId } from "../crypto/secrets.ts";
import { trimText } from "../fields/trim-text.ts";
import { type Api, confirmedCommand, type JsonOptions } from "./api.ts";
import { print } from "./print.ts";

interface RemoveOrgOptions extends JsonOptions {
  /** Id or name. */
  readonly org: string;
}

/** Between two calls, and between two lines with the progress. */
const POLL_MS = 1_000;
const PROGRESS_MS = 5_000;

/**
 * `signet org remove`: removes an organization, and waits until all of its data is erased. It can be interrupted: a server
 * continues, and so does the command with the id.
 */
export const removeOrgCommand = confirmedCommand(async (api, { org, json }: RemoveOrgOptions, confirm) => {
  const { id, name } = await findOrg(api, org);
  if (name !== undefined) {
    await confirm(`Remove ${name} (${id}), and erase its users and all of its data? This cannot be undone.`);
  }
  const erasedUsers = await remove(api, id, name ?? id);
  print(json, { id, ...(name !== undefined && { name }), erasedUsers }, [
    `removed ${name ?? id}, and erased ${erasedUsers === 1 ? "1 user" : `${erasedUsers} users`}`,
  ]);
});

/** Without a name if it does not exist, or its removal is in progress. */
async function findOrg({ admin }: Api, idOrName: string): Promise<{ readonly id: string; readonly name?: string }> {
  const condition = isId(idOrName)
    ? ({ case: "idQuery", value: { id: idOrName } } as const)
    : ({
        case: "nameQuery",
        value: { name: trimText(idOrName), method: TextQueryMethod.EQUALS_IGNORE_CASE },
      } as const);
  const { result } = await admin.listOrgs({ queries: [{ query: condition }] });
  const [found] = result;
  if (found !== undefined) return { id: found.id, name: found.name };
  if (isId(idOrName)) return { id: idOrName };
  throw new ConfigError(`no organization has the id or name "${idOrName}"`);
}

/** Removes the organization, and repeats the call until the removal is complete. Returns the number of erased users. */
async function remove(api: Api, orgId: string, confirmName: string): Promise<number> {
  const progress = createProgress();
  let erased = 0;
  for (let isRepeated = false; ; isRepeated = true) {
    const state = await api.admin.removeOrg({ orgId, confirmName }).catch((error: unknown) => {
      // The last step came in between.
      if (isRepeated && error instanceof ConnectError && error.code === Code.NotFound) return undefined;
      throw error;
    });
    if (state === undefined) return erased;
    erased = Number(state.erasedUsers);
    if (state.isComplete) return erased;
    progress(erased);
    if (isRepeated) await delay(POLL_MS);
    await api.eraseRemovedOrgs?.((users) => {
      erased += users;
      progress(erased);
    });
  }
}

/** Prints the number of erased users, at most every few seconds. */
function createProgress(): (erased: number) => void {
  let last = performance.now();
  return (erased) => {
    if (performance.now() - last < PROGRESS_MS) return;
    last = performance.now();
    process.stderr.write(`erased ${erased} users\n`);
  };
}
