import { grantAfterReview } from "../access/change-member.ts";
import { listPlacedCredentials, type PlacedCredential, type UserKey } from "../access/placed-credentials.ts";
import { createOperatorCall } from "../call.ts";
import type { Config } from "../config.ts";
import type { Database } from "../database/database.ts";
import { createRunTogether } from "../database/run-together.ts";
import { createCommandOutbox } from "./command-outbox.ts";
import { readInstanceId } from "./find-scope.ts";
import { notifyAppsOfEnds } from "./notify-apps.ts";
import { printError, toTable } from "./print.ts";

/** Grants a role to a user, whose credentials that others have placed end if `ends`. Returns these credentials. */
export async function grantReviewed(
  config: Config,
  db: Database,
  { user, ends, grant }: { readonly user: UserKey; readonly ends: boolean; readonly grant: () => Promise<void> },
): Promise<readonly PlacedCredential[]> {
  const parts = { db, clock: () => new Date() };
  if (!ends) {
    const placed = await listPlacedCredentials(parts, user);
    await grant();
    return placed;
  }
  const call = createOperatorCall({ instanceId: await readInstanceId(db), orgId: user.orgId });
  const { placedCredentials } = await notifyAppsOfEnds(config, db, (announceEnds) => {
    const outbox = createCommandOutbox(config);
    const whole = { ...parts, runTogether: createRunTogether(db), outbox, announceEnds };
    return grantAfterReview(whole, user, ends, call, async () => {
      await grant();
      return {};
    });
  });
  return placedCredentials;
}

/** Prints the credentials to standard error, and how they can be ended, or that they were. */
export function reportPlacedCredentials(name: string, placed: readonly PlacedCredential[], ended: boolean): void {
  if (placed.length === 0) return;
  const rows = placed.map(({ kind, id, name, placedBy, placedAt }) => [
    kind,
    kind === "token" ? `${id} …${name}` : name || id,
    placedAt.toISOString(),
    placedBy ?? "(command line)",
  ]);
  const heading = ended
    ? `The credentials of ${name} that others had placed have ended:`
    : `${name} has credentials that others have placed, and that have the role too:`;
  const hint = ended ? [] : ["To end them, run the command with --end-credentials."];
  printError(heading, ...toTable(["KIND", "CREDENTIAL", "PLACED", "BY"], rows), ...hint);
}
