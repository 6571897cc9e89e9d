import { create } from "@bufbuild/protobuf";
import { sql } from "kysely";
import { ListUsersRequestSchema } from "../../../gen/signet/v1/user_read_pb.js";
import { UserFieldName } from "../../../gen/signet/v1/user_search_pb.js";
import { createId } from "../../../src/crypto/secrets.ts";
import { createOrg } from "../../../src/orgs/change-org.ts";
import { toUserSearch } from "../../../src/rpc/messages/user.ts";
import { listUsers } from "../../../src/users/read/list-users.ts";
import { createTestDatabase } from "../../support/databases/database.ts";
import { createPrincipalCall } from "../../support/operations/principal.ts";

const KEPT = 100;

test("pages contain each user once while others come, go and change", async () => {
  const { db, close } = await createTestDatabase("postgres");
  const parts = { db, clock: () => new Date() };
  const orgId = await createOrg(parts, "own");
  const problems = {
    add(field: string, description: string) {
      throw new Error(`${field}: ${description}`);
    },
  };
  const call = createPrincipalCall({ orgId, userId: createId(), instanceId: createId() });
  const insert = (prefix: string, from: number, to: number) =>
    sql`
      insert into users (org_id, id, kind, user_name, user_name_key, sequence, created_at, changed_at)
      select ${orgId}, gen_random_uuid(), 'machine', ${prefix}::text || n, ${prefix}::text || n, 1, now(), now()
      from generate_series(${from}::int, ${to}::int) as n`.execute(db);
  await insert("kept-", 1, KEPT);
  await insert("gone-", 1, KEPT);

  const orders = [
    [UserFieldName.CREATION_DATE, true],
    [UserFieldName.USER_NAME, false],
  ] as const;
  for (const [sortingColumn, asc] of orders) {
    const names: string[] = [];
    let pageToken = "";
    let page = 0;
    do {
      const request = create(ListUsersRequestSchema, { query: { limit: 20, asc, pageToken }, sortingColumn });
      const { rows, details } = await listUsers(parts, toUserSearch(request, problems, ListUsersRequestSchema), call);
      names.push(...rows.map(({ user_name: userName }) => userName));
      pageToken = details?.nextPageToken ?? "";
      page += 1;
      const prefix = `new-${sortingColumn}-${asc}-${page}-`;
      await insert(prefix, 1, 3);
      // The last user of the page, among others.
      await sql`delete from users where user_name = any(${[`gone-${page}`, names.at(-1)]}) and user_name not like 'kept-%'`.execute(
        db,
      );
      await sql`update users set state = 'locked', sequence = sequence + 1, changed_at = now()`.execute(db);
    } while (pageToken !== "" && page < 200);
    expect(page).toBeLessThan(200);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => name.startsWith("kept-"))).toHaveLength(KEPT);
  }
  await close();
});
