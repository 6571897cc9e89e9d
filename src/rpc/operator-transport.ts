import { create, type DescMessage, type DescMethodUnary, getOption, type MessageShape } from "@bufbuild/protobuf";
import { Code, ConnectError, type Transport } from "@connectrpc/connect";
import { read_only } from "../../gen/signet/v1/options_pb.js";
import { createOperatorCall } from "../call.ts";
import { type ErrorCode, SignetError } from "../errors.ts";
import { toConnectError } from "./connect/handlers.ts";
import type { Rpc } from "./implement.ts";

/** What the calls of an operator act on. */
interface OperatedInstance {
  readonly instanceId: string;
  /**
   * Returns the target organization for the header `x-service-orgid`.
   *
   * @throws SignetError ORG_NOT_FOUND.
   */
  readonly findTarget: (orgId: string | null) => Promise<string>;
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
        const orgId = await instance.findTarget(new Headers(header).get("x-service-orgid"));
        if (!getOption(method, read_only)) await instance.prepareChange();
        const message = await rpc.run(
          create(method.input, input),
          createOperatorCall({ instanceId: instance.instanceId, orgId, signal }),
        );
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
