import { fromJson, type JsonObject } from "@bufbuild/protobuf";
import { ListUsersRequestSchema } from "../gen/signet/v1/user_read_pb.js";
import { createId } from "../src/crypto/secrets.ts";
import { connect } from "../src/database/connection.ts";
import type { Query } from "../src/database/database.ts";
import { toUserSearch } from "../src/rpc/messages/user.ts";
import { listUsers } from "../src/users/read/list-users.ts";
import { watchQueries } from "../test/support/databases/database.ts";
import { countRowsRead } from "../test/support/databases/rows-read.ts";
import { createPrincipalCall } from "../test/support/operations/principal.ts";

/**
 * How many rows PostgreSQL reads for a ListUsersRequest in JSON, in tables and indexes, including rows that it
 * discards.
 */
export async function countRowsOfList(url: string, orgId: string, json: object): Promise<number> {
  const sent: Query[] = [];
  const db = watchQueries(
    connect({ url }, 1, () => {}),
    (query) => void sent.push(query),
  );
  const call = createPrincipalCall({ orgId, userId: createId(), instanceId: createId() });
  const problems = {
    add(field: string, description: string) {
      throw new Error(`${field}: ${description}`);
    },
  };
  const search = toUserSearch(fromJson(ListUsersRequestSchema, json as JsonObject), problems, ListUsersRequestSchema);
  await listUsers({ db, clock: () => new Date() }, search, call);
  const [statement] = sent;
  if (statement === undefined) throw new Error("no statement was sent");
  const count = await countRowsRead(db, statement);
  await db.destroy();
  return count;
}
