import { once } from "node:events";
import { createWriteStream, existsSync } from "node:fs";
import { type Config, ConfigError } from "../config.ts";
import { format } from "../moving/checking/describe-findings.ts";
import { exportUsers } from "../moving/export-users.ts";
import { inOrg } from "../moving/in-org.ts";
import { toPrintable } from "../printable.ts";
import { type Api, type OrgOptions, withApi } from "./api.ts";
import { findNamedOrg } from "./named-org.ts";
import { listOrgs } from "./org.ts";
import { INTERRUPTED, untilInterrupted } from "./until-interrupted.ts";
import { UsageError } from "./usage-error.ts";

interface UsersExportOptions extends OrgOptions {
  readonly allOrgs: boolean;
  readonly out?: string;
  readonly withHashes: boolean;
  readonly withSecrets: boolean;
}

/** `signet users export`: writes users as NDJSON, one per line. */
export async function usersExportCommand(configuration: () => Config, options: UsersExportOptions): Promise<void> {
  const { out, withHashes, withSecrets } = options;
  if (out !== undefined && existsSync(out)) throw new UsageError(`--out: ${out} exists`);
  await untilInterrupted((stopped) =>
    withApi(configuration, { ...options, protocol: "grpc" }, async (api) => {
      if (api.readCredentials === undefined && (withHashes || withSecrets)) {
        throw new UsageError(
          "a server never returns hashes and secrets; to export them, run this command on the database, without --url and SIGNET_URL",
        );
      }
      const { readCredentials } = api;
      const includes = { hashes: withHashes, secrets: withSecrets };
      const users = exportUsers({
        ...{ api, orgs: await findOrgs(api, options), stopped },
        rpId: readCredentials && configuration().webauthnRpId,
        readCredentials: readCredentials && ((orgId, ids) => readCredentials(orgId, ids, includes)),
      });
      const file = out === undefined ? process.stdout : createWriteStream(out, { flags: "wx", mode: 0o600 });
      const toText = file === process.stdout ? toPrintable : (json: string) => json;
      let count = 0;
      for await (const page of users) {
        count += page.length;
        const isFull = !file.write(page.map((user) => `${toText(JSON.stringify(user))}\n`).join(""));
        if (isFull) await once(file, "drain");
      }
      if (file !== process.stdout) await new Promise<void>((resolve) => file.end(resolve));
      if (stopped.aborted) process.exitCode = INTERRUPTED;
      process.stderr.write(`${stopped.aborted ? "stopped after" : "exported"} ${format(count)} users\n`);
    }),
  );
}

async function findOrgs(api: Api, { org, allOrgs }: UsersExportOptions) {
  if (allOrgs) return await listOrgs(api);
  const { org: found } = await api.management.getMyOrg({}, inOrg(await findNamedOrg(api, org)));
  if (found === undefined) throw new ConfigError("the organization was not returned");
  return [found];
}
