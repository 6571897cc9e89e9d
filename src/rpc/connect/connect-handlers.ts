import { Code, ConnectError, createConnectRouter, type HandlerContext, type Interceptor } from "@connectrpc/connect";
import type { UniversalHandler } from "@connectrpc/connect/protocol";
import { compressionBrotli, compressionGzip } from "@connectrpc/connect-node";
import type { Logger } from "pino";
import type { Authorize } from "../../access/authorize.ts";
import { eachHeader } from "../../http/exchange.ts";
import { type CallRecord, noteFailure } from "../call-record.ts";
import type { RpcMethod } from "../rpc-methods.ts";
import { deadlineExceeded, toConnectError } from "../wire-errors.ts";
import { orAborted } from "./abortable.ts";
import { callRecordKey } from "./call-record-key.ts";

/**
 * Connect's handlers of the RPCs, by request path. Each serves gRPC, gRPC-Web and Connect in all their variants, and
 * expects a `CallRecord` among the request's context values.
 *
 * A call passes: caller and permission, before its body is read; then the operation, until the deadline. How large a
 * body may be is seen to before it comes here.
 */
export function createConnectHandlers(
  rpcs: readonly RpcMethod[],
  { authorize, log }: { authorize: Authorize; log: Logger },
): Map<string, UniversalHandler> {
  const byMethod = new Map(rpcs.map((rpc) => [rpc.desc.toString(), rpc]));

  async function admit({ method, values, signal, requestHeader, responseHeader }: HandlerContext): Promise<void> {
    const record = values.get(callRecordKey);
    const rpc = byMethod.get(method.toString());
    if (rpc === undefined) throw new Error(`${method} is none of the methods`);
    eachHeader(rpc.headers, (name, value) => responseHeader.set(name, value));
    const credentials = {
      authorization: requestHeader.get("authorization"),
      orgId: requestHeader.get("x-service-orgid"),
    };
    try {
      record.principal = await orAborted(signal, authorize(credentials, rpc.permission));
    } catch (error) {
      throw failCall(record, error, log);
    }
  }

  const intercept: Interceptor = (next) => async (request) => {
    try {
      return await orAborted(request.signal, next(request));
    } catch (error) {
      throw failCall(request.contextValues.get(callRecordKey), error, log);
    }
  };

  const router = createConnectRouter({
    requestGate: admit,
    interceptors: [intercept],
    acceptCompression: [compressionGzip, compressionBrotli],
    jsonOptions: { ignoreUnknownFields: false },
  });
  for (const { desc, run } of rpcs) {
    router.rpc(desc, (request, { values, signal }) => {
      const { principal } = values.get(callRecordKey);
      if (principal === undefined) throw new Error("a call was not admitted");
      return run(request, { ...principal, throwIfOver: () => signal.throwIfAborted(), signal });
    });
  }
  return new Map(router.handlers.map((handler) => [handler.requestPath, handler]));
}

/** Notes a failure, and gives it the form in which Connect sends it. */
export function failCall(record: CallRecord, thrown: unknown, log: Logger): ConnectError {
  if (!(thrown instanceof ConnectError)) return toConnectError(noteFailure(log, record, thrown));
  // Of Connect itself: the deadline that the caller set, that the caller went away, or a breach of its protocol.
  if (thrown.code !== Code.DeadlineExceeded) return thrown;
  return toConnectError(noteFailure(log, record, deadlineExceeded()));
}
