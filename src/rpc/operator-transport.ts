import { create, type DescMessage, type DescMethodUnary, type MessageShape } from "@bufbuild/protobuf";
import { Code, ConnectError, type Transport } from "@connectrpc/connect";
import type { Operator, Principal } from "../actor.ts";
import type { Call } from "../call.ts";
import { type ErrorCode, SignetError } from "../errors.ts";
import { isReadPermission } from "../roles.ts";
import { toConnectError } from "./connect/handlers.ts";
import type { Rpc } from "./implement.ts";

/** What the calls of an operator act on. */
export interface OperatedInstance {
  readonly instanceId: string;
  /** The organization of calls without the header `x-service-orgid`; null if the instance has no default one. */
  readonly defaultOrgId: string | null;
  readonly hasOrg: (id: string) => Promise<boolean>;
  /** Runs before each call that changes something. */
  readonly prepareChange: () => Promise<void>;
}

/**
 * Creates a transport of Connect that runs RPCs in this process, for the operator of the service. A call passes the same
 * checks and runs the same operation as one that arrives at the port, but needs no token, may do everything, and leaves
 * events without an editor.
 *
 * It throws errors of the API as a server sends them, as a ConnectError with details, and others as they are.
 */
export function createOperatorTransport(rpcs: readonly Rpc[], instance: OperatedInstance): Transport {
  const byDesc = new Map<object, Rpc>(rpcs.map((rpc) => [rpc.desc, rpc]));
  return {
    async unary<I extends DescMessage, O extends DescMessage>(
      method: DescMethodUnary<I, O>,
      signal: AbortSignal | undefined,
      _timeoutMs: number | undefined,
      header: HeadersInit | undefined,
      input: Parameters<typeof create<I>>[1],
    ) {
      const rpc = byDesc.get(method);
      if (rpc === undefined) throw new Error(`no operation for ${method}`);
      try {
        const orgId = await findTargetOrg(instance, new Headers(header));
        if (!isReadPermission(rpc.permission)) await instance.prepareChange();
        const message = await rpc.run(create(method.input, input), toCall(instance, orgId, signal));
        return {
          stream: false,
          service: method.parent,
          method,
          header: new Headers(),
          trailer: new Headers(),
          // The operation of the RPC returns a message of its output.
          message: message as MessageShape<O>,
        };
      } catch (error) {
        throw error instanceof SignetError && !FAULTS.has(error.code) ? toConnectError(error) : error;
      }
    },
    async stream(method) {
      throw new ConnectError(`${method.name} is a stream, which requires a server`, Code.Unimplemented);
    },
  };
}

/** Codes of failures of this process or the database, whose cause the operator needs. */
const FAULTS: ReadonlySet<ErrorCode> = new Set(["internal", "unavailable"]);

async function findTargetOrg({ defaultOrgId, hasOrg }: OperatedInstance, headers: Headers): Promise<string> {
  const orgId = headers.get("x-service-orgid") ?? defaultOrgId;
  if (orgId !== null && (await hasOrg(orgId))) return orgId.toLowerCase();
  throw new SignetError("ORG_NOT_FOUND", "the organization does not exist");
}

/** A call as operations see it. In an operator's, the parts of a principal say that it may do everything. */
function toCall({ instanceId }: OperatedInstance, orgId: string, signal: AbortSignal | undefined): Call {
  const operator: Call<Operator & Omit<Principal, "kind" | "userId">> = {
    kind: "operator",
    userId: null,
    orgId,
    instanceId,
    userOrgId: orgId,
    instanceRoles: ["INSTANCE_OWNER"],
    orgRoles: [],
    roleScopes: null,
    signal: signal ?? AbortSignal.any([]),
    throwIfOver() {},
  };
  // The type of an RPC's operation names only principals. An operator differs in `kind`, and has no user: the column of
  // the editor accepts null.
  return operator as unknown as Call;
}
