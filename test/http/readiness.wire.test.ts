import { sql } from "kysely";
import { send } from "../support/clients/send.ts";
import { startService } from "../support/servers/service.ts";
import { until } from "../support/until.ts";

test("/readyz responds with 503 and /healthz with 200 while the database can be read but not written", async () => {
  const service = await startService("embedded");
  const statusOf = async (path: string) => (await send(service.origin, "GET", path)).status;
  try {
    await until("the service is ready", async () => (await statusOf("/readyz")) === 200);
    // The embedded database has one session, so the setting applies to all connections.
    await sql`set default_transaction_read_only = on`.execute(service.db);
    await until("the service is not ready", async () => (await statusOf("/readyz")) === 503);
    expect(await statusOf("/healthz")).toBe(200);
    await sql`set default_transaction_read_only = off`.execute(service.db);
    await until("the service is ready", async () => (await statusOf("/readyz")) === 200);
  } finally {
    await service.close();
  }
});
