import { randomUUID } from "node:crypto";
import { getOption } from "@bufbuild/protobuf";
import { ConnectError, createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { ErrorInfoSchema } from "../../gen/google/rpc/error_details_pb.js";
import { AdminService } from "../../gen/signet/v1/admin_pb.js";
import { AuthService } from "../../gen/signet/v1/auth_pb.js";
import { ManagementService } from "../../gen/signet/v1/management_pb.js";
import { permission } from "../../gen/signet/v1/options_pb.js";
import { ROLES, type Role } from "../../src/roles.ts";
import { DATABASE_KINDS } from "../support/databases/database.ts";
import { startService, type TestService } from "../support/servers/service.ts";
import { GRID, ORGS, OUTCOMES, type ReadPermission } from "./read-grid.ts";

/** The RPCs that the other grids lack, because they have more than one response. */
const STREAMS = [AdminService.method.watchEvents, ManagementService.method.watchEvents];

const ROWS = (Object.keys(GRID) as (keyof typeof GRID)[]).flatMap((role) =>
  STREAMS.map((method) => {
    const cells = GRID[role][getOption(method, permission) as ReadPermission];
    return { name: method.parent.name, role, method, cells };
  }),
);

test("every RPC with a stream is in the grid", () => {
  const methods = [AdminService, ManagementService, AuthService].flatMap((service) => [...service.methods]);
  expect(methods.filter(({ methodKind }) => methodKind !== "unary")).toEqual(STREAMS);
});

describe.each(DATABASE_KINDS)("on %s", (kind) => {
  let service: TestService;
  let orgs: { own: string; other: string };
  let tokens: Record<string, string>;

  beforeAll(async () => {
    service = await startService(kind);
    orgs = { own: await service.createOrg("Own"), other: await service.createOrg("Other") };
    tokens = {};
    for (const role of [...(Object.keys(ROLES) as Role[]), "no role"] as const) {
      tokens[role] = (await service.createToken({ orgId: orgs.own, ...(role !== "no role" && { role }) })).token;
    }
  });
  afterAll(() => service?.close());

  /** The reason for which the stream ends; undefined if it has a first response. */
  async function watch(method: (typeof STREAMS)[number], headers: Record<string, string>): Promise<string | undefined> {
    const control = new AbortController();
    const transport = createGrpcTransport({ baseUrl: service.origin });
    const client = createClient(method.parent as typeof AdminService, transport);
    const responses = client.watchEvents({}, { headers, signal: control.signal })[Symbol.asyncIterator]();
    try {
      expect(await responses.next()).toMatchObject({ done: false });
      return undefined;
    } catch (error) {
      const [info] = ConnectError.from(error).findDetails(ErrorInfoSchema);
      return info?.reason ?? String(error);
    } finally {
      control.abort();
    }
  }

  test.each(ROWS)("$name.WatchEvents with $role results in $cells", async ({ role, method, cells }) => {
    const ids = { "no header": undefined, ...orgs, unknown: randomUUID(), "no id": "default" };
    for (const [column, org] of ORGS.entries()) {
      const id = ids[org];
      const headers = { authorization: `Bearer ${tokens[role]}`, ...(id !== undefined && { "x-service-orgid": id }) };
      expect([org, await watch(method, headers)]).toEqual([org, OUTCOMES[cells.charAt(column)]]);
    }
  });

  test.each(STREAMS)("$parent.name.WatchEvents requires a token", async (method) => {
    expect(await watch(method, {})).toBe("TOKEN_MISSING");
    const unknown = service.secret(`signet_pat_${"0".repeat(43)}`);
    expect(await watch(method, { authorization: `Bearer ${unknown}` })).toBe("TOKEN_INVALID");
  });
});
