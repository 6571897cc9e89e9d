import { getOption } from "@bufbuild/protobuf";
import {
  type ConnectError,
  type ConnectRouter,
  createConnectRouter,
  type HandlerContext,
  type Interceptor,
} from "@connectrpc/connect";
import type { UniversalHandler } from "@connectrpc/connect/protocol";
import { compressionBrotli, compressionGzip } from "@connectrpc/connect-node";
import type { Logger } from "pino";
import { AdminService } from "../../gen/signet/v1/admin_pb.js";
import { ManagementService } from "../../gen/signet/v1/management_pb.js";
import { deprecated_since, permission } from "../../gen/signet/v1/options_pb.js";
import type { Authorize } from "../auth/authorize.ts";
import type { Permission } from "../auth/roles.ts";
import type { Call } from "../call.ts";
import { SignetError } from "../errors.ts";
import { warmUpRules } from "../fields/check-message.ts";
import { orAborted } from "./abortable.ts";
import { type CallRecord, callRecordKey } from "./call-record.ts";
import type { Operations } from "./operations.ts";
import { toCallError, toConnectError } from "./wire-errors.ts";

/**
 * The handlers of all RPCs, by request path. Each serves gRPC, gRPC-Web and Connect, and expects a `CallRecord` among the
 * request's context values. How large a body may be is seen to before it comes here.
 *
 * A call passes: caller and permission, before its body is read; then the operation, until the deadline.
 */
export function createRpcHandlers(options: {
  operations: Operations;
  authorize: Authorize;
  log: Logger;
}): Map<string, UniversalHandler> {
  const { operations, authorize, log } = options;

  async function admit(context: HandlerContext): Promise<void> {
    const record = recordOf(context.values.get(callRecordKey));
    const since = getOption(context.method, deprecated_since);
    if (since > 0n) context.responseHeader.set("deprecation", `@${since}`);
    const credentials = {
      authorization: context.requestHeader.get("authorization"),
      orgId: context.requestHeader.get("x-service-orgid"),
    };
    const needed = getOption(context.method, permission) as Permission;
    try {
      record.call = await orAborted(context.signal, authorize(credentials, needed));
    } catch (error) {
      throw fail(record, error, log);
    }
  }

  const intercept: Interceptor = (next) => async (request) => {
    const record = recordOf(request.contextValues.get(callRecordKey));
    try {
      return await orAborted(request.signal, next(request));
    } catch (error) {
      throw fail(record, error, log);
    }
  };

  const router = createConnectRouter({
    requestGate: admit,
    interceptors: [intercept],
    acceptCompression: [compressionGzip, compressionBrotli],
    jsonOptions: { ignoreUnknownFields: false },
  });
  addServices(router, operations);
  for (const { method } of router.handlers) warmUpRules(method.input);
  return new Map(router.handlers.map((handler) => [handler.requestPath, handler]));
}

function addServices(router: ConnectRouter, operations: Operations): void {
  const withCall =
    <Request, Response>(operation: (request: Request, call: Call) => Promise<Response>) =>
    (request: Request, { values, signal }: HandlerContext) => {
      const { call } = recordOf(values.get(callRecordKey));
      if (call === undefined) throw new SignetError("INTERNAL", "internal error");
      return operation(request, { ...call, signal });
    };
  router.service(AdminService, { addOIDCIDP: withCall(operations.addOidcIdp) });
  router.service(ManagementService, {
    addOrgOIDCIDP: withCall(operations.addOrgOidcIdp),
    importHumanUser: withCall(operations.importHumanUser),
    updateHumanPhone: withCall(operations.updateHumanPhone),
  });
}

/** Notes a failure, and gives it the form in which Connect sends it. What the caller is not told goes to the log. */
export function fail(record: CallRecord, thrown: unknown, log: Logger): ConnectError {
  const error = toCallError(thrown);
  if (!(error instanceof SignetError)) return error;
  record.failure = error;
  if (error.code === "internal" || error.code === "unavailable" || error.code === "aborted") {
    log.error({ requestId: record.requestId, err: error.cause }, error.message);
  }
  return toConnectError(error);
}

function recordOf(record: CallRecord | undefined): CallRecord {
  if (record === undefined) throw new Error("a call has no record");
  return record;
}
