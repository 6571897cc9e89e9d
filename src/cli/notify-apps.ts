import { createBrandings } from "../branding/create-brandings.ts";
import type { Config } from "../config.ts";
import type { Database } from "../database/database.ts";
import { createRunTogether } from "../database/run-together.ts";
import { notifyInTurn } from "../oidc/back-channel-logout.ts";
import { openKeyring } from "../server/keyring.ts";
import type { AnnounceEnds, EndedSession } from "../users/change/end-sessions.ts";
import { printError } from "./print.ts";

/**
 * Runs an operation, and then notifies the applications of the sessions that it has ended, like the service
 * (docs/sign-in.md). By then, the operation has succeeded, so failures are only printed to standard error.
 */
export async function notifyAppsOfEnds<Result>(
  config: Config,
  db: Database,
  run: (announceEnds: AnnounceEnds) => Promise<Result>,
): Promise<Result> {
  const ended: EndedSession[] = [];
  const result = await run((sessions) => ended.push(...sessions));
  if (ended.length > 0) await notify(config, db, ended);
  return result;
}

async function notify(config: Config, db: Database, ended: readonly EndedSession[]): Promise<void> {
  try {
    const provider = await openProvider(config, db);
    provider.on("backchannel.error", (_ctx, error, { clientId }) => printFailure(`application ${clientId}`, error));
    const { notifyApps } = await import("../oidc/back-channel-logout.ts");
    await notifyInTurn(ended, (session) =>
      notifyApps(provider, session).catch((error) => printFailure("the applications", error)),
    );
  } catch (error) {
    printFailure("the applications", error);
  }
}

/** The provider has 183 modules, needed only by commands that have ended sessions. */
async function openProvider(config: Config, db: Database) {
  const keyring = openKeyring(config);
  const clock = () => new Date();
  const { createCookieSigner } = await import("../oidc/cookies.ts");
  const { createProvider } = await import("../oidc/create-provider.ts");
  const { readSigningKeys } = await import("../oidc/signing-keys.ts");
  const signer = createCookieSigner(keyring.derive("cookies"));
  const signingKeys = await readSigningKeys({ db, keyring, clock });
  const { publicUrl: issuer, idpAllowPrivateNetworks: allowsPrivate, clientMetadataHosts: clientHosts } = config;
  const brandings = createBrandings({ db, clock });
  return createProvider({
    ...{ db, runTogether: createRunTogether(db), brandings, keyring, clock },
    ...{ issuer, signer, signingKeys, allowsPrivate, clientHosts },
  });
}

function printFailure(whom: string, error: unknown): void {
  const reason = error instanceof Error ? error.message : String(error);
  printError(`signet: could not notify ${whom} of the end of a session: ${reason}`);
}
