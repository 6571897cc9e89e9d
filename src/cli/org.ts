import type { Config } from "../config.ts";
import { createOrg } from "../orgs/create-org.ts";
import { listAllOrgs } from "../orgs/find-orgs.ts";
import { withDatabase } from "../server/open-database.ts";
import { print, toTable } from "./print.ts";

/** `signet org create`: prints the id of the new organization. */
export async function createOrgCommand(config: Config, { name, json }: { name: string; json: boolean }): Promise<void> {
  await withDatabase(config, async (db) => {
    const id = await createOrg({ db, clock: () => new Date() }, name);
    print(json, { id, name: name.trim() }, [id]);
  });
}

/** `signet org list`. */
export async function listOrgsCommand(config: Config, { json }: { json: boolean }): Promise<void> {
  await withDatabase(config, async (db) => {
    const orgs = await listAllOrgs(db);
    const rows = orgs.map(({ id, name, created_at }) => [id, name, created_at.toISOString()]);
    print(
      json,
      orgs.map(({ id, name, created_at }) => ({ id, name, createdAt: created_at })),
      toTable(["ID", "NAME", "CREATED"], rows),
    );
  });
}
