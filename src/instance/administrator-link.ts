import type { QueryCaller } from "../call.ts";
import type { Clock } from "../clock.ts";
import type { Keyring } from "../crypto/keyring.ts";
import { createSealedValues } from "../crypto/sealed-values.ts";
import { createId } from "../crypto/secrets.ts";
import type { Database } from "../database/database.ts";
import { prepareStatement } from "../database/prepare.ts";
import { hasAdministrator } from "./has-administrator.ts";

/** The page of the link. */
export const FIRST_ADMINISTRATOR_PATH = "/ui/first-administrator";

/** How long a link is valid. */
export const ADMINISTRATOR_LINK_HOURS = 72;

/**
 * The content of the link: the id that the person will have, so that a link makes one. Several processes may each create
 * links, because no row is stored. The subject is the id of the instance.
 */
const SEALED_LINKS = createSealedValues<{ readonly userId: string }>({
  table: "instance",
  column: "first administrator",
  validSeconds: ADMINISTRATOR_LINK_HOURS * 3_600,
});

interface LinkParts {
  readonly db: Database;
  readonly keyring: Keyring;
  readonly clock: Clock;
}

/**
 * Creates a link that makes the first administrator: it works once, for 72 hours, and only until `hasAdministrator`.
 *
 * @returns Undefined if there is an administrator, or no default organization to which one could belong.
 * @throws SignetError for a failure of the database.
 */
export async function createAdministratorLink(parts: LinkParts, publicUrl: string): Promise<string | undefined> {
  const { instanceId, orgId } = await findInstance(parts.db);
  if (orgId === null || (await hasAdministrator(parts.db))) return undefined;
  const code = SEALED_LINKS.seal(parts, instanceId, { userId: createId() });
  return `${publicUrl}${FIRST_ADMINISTRATOR_PATH}?code=${code}`;
}

/**
 * Opens the `code` of a link, which may have been used.
 *
 * @returns The ids of the person and of the organization; undefined if the code is not valid, or has expired.
 * @throws SignetError for a failure of the database.
 */
export async function openAdministratorLink(
  parts: LinkParts,
  code: string,
  caller: QueryCaller,
): Promise<{ readonly userId: string; readonly orgId: string } | undefined> {
  const { instanceId, orgId } = await findInstance(parts.db, caller);
  const opened = SEALED_LINKS.open(parts, instanceId, code);
  return opened === undefined || orgId === null ? undefined : { ...opened, orgId };
}

async function findInstance(db: Database, caller?: QueryCaller): Promise<InstanceRow> {
  const [instance] = await selectInstance(db, {}, caller);
  if (instance === undefined) throw new Error("there is no instance");
  return instance;
}

interface InstanceRow {
  readonly instanceId: string;
  /** The organization `default`. */
  readonly orgId: string | null;
}

const selectInstance = prepareStatement<object, InstanceRow>((db) =>
  db.selectFrom("instance").select(["id as instanceId", "default_org_id as orgId"]),
);
