import { pino } from "pino";
import { ManagementService } from "../../gen/signet/v1/management_pb.js";
import type { Authorize } from "../../src/access/authorize.ts";
import { type Authority, UNCONFIRMED } from "../../src/call.ts";
import { invalidArgument } from "../../src/errors.ts";
import { createPort, type Port } from "../../src/http/port.ts";
import { createRouter } from "../../src/http/router.ts";
import { createRpcHandler } from "../../src/rpc/create-rpc-handler.ts";
import type { Rpc } from "../../src/rpc/implement.ts";
import { send } from "../support/clients/send.ts";

const PRINCIPAL = {
  kind: "principal",
  userId: "user",
  instanceId: "instance",
  orgId: "org",
  instanceRoles: [],
  orgRoles: [],
  userOrgId: "org",
  roleScopes: null,
} as const;
const REMEMBERED = { tokenHash: "", now: new Date(0), instanceId: "", instanceRoles: [], orgId: "", orgRoles: [] };

let port: Port | undefined;
afterEach(() => port?.drain(0));

/** Calls an RPC as a caller who is remembered from an earlier call. Returns what happened, in order. */
async function call(fail: (authority: Authority["kind"]) => Error): Promise<{ steps: string[]; status: number }> {
  const steps: string[] = [];
  const authorize: Authorize = async (_credentials, _permission, caller) => {
    const isRemembered = caller?.mayRecall === true;
    steps.push(isRemembered ? "recalled" : "looked up");
    return { ...PRINCIPAL, authority: isRemembered ? { kind: "toConfirm", caller: REMEMBERED } : { kind: "known" } };
  };
  const desc = ManagementService.method.updateHumanPhone;
  const rpc: Rpc = {
    desc,
    name: `${ManagementService.typeName}/${desc.name}`,
    permission: "user.write",
    confirmsCaller: true,
    headers: [],
    async run(_request, { authority }) {
      const kind = authority?.kind ?? "known";
      steps.push(`ran as ${kind}`);
      throw fail(kind);
    },
  };
  const limits = { maxBodyBytes: 4_096, requestTimeoutMs: 10_000, corsOrigins: [] };
  const handler = createRpcHandler({ ...limits, rpcs: [rpc], authorize, log: pino({ level: "silent" }) });
  port = createPort({ handler: createRouter([], handler) });
  const { port: number } = await port.listen(0, "127.0.0.1");
  const path = "/management/v1/users/ada/phone";
  const { status } = await send(`http://127.0.0.1:${number}`, "PUT", path, { token: "t", body: {} });
  return { steps, status };
}

const INVALID = invalidArgument({ field: "phone", description: "is invalid" });

test("an invalid request of a remembered caller is read and checked once, and its token is then looked up", async () => {
  const steps = ["recalled", "ran as toConfirm", "looked up"];
  expect(await call(() => INVALID)).toEqual({ steps, status: 400 });
});

test("an operation whose statement has not confirmed its caller runs again for the caller as found", async () => {
  const steps = ["recalled", "ran as toConfirm", "looked up", "ran as known"];
  expect(await call((kind) => (kind === "known" ? INVALID : UNCONFIRMED))).toEqual({ steps, status: 400 });
});
