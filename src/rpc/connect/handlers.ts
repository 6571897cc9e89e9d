import { ConnectError, createConnectRouter, createContextKey } from "@connectrpc/connect";
import type { UniversalHandler } from "@connectrpc/connect/protocol";
import type { SignetError } from "../../errors.ts";
import { CODES, errorHeaders } from "../../http/error-object.ts";
import type { Rpc } from "../implement.ts";
import type { Run } from "../run-call.ts";
import { toDetails } from "../status.ts";
import { COMPRESSIONS } from "./compression.ts";

/** The result of a call through Connect: the operation's result, or an error that occurred earlier. */
export interface Outcome {
  readonly run: Run;
  readonly error: SignetError | undefined;
  /** The error that made the operation fail. */
  failure: unknown;
}

/** The context key of a call's outcome. */
export const outcomeKey = createContextKey<Outcome>(
  {
    run: async () => {
      throw new Error("a call without an operation");
    },
    error: undefined,
    failure: undefined,
  },
  { description: "outcome of the call" },
);

/**
 * Connect's handlers for the RPCs, by request path. Each serves gRPC, gRPC-Web and Connect in all their variants, and
 * expects an `Outcome` among the request's context values.
 */
export function createConnectHandlers(rpcs: readonly Rpc[]): ReadonlyMap<string, UniversalHandler> {
  const router = createConnectRouter({
    // Before the body is read.
    requestGate({ values }) {
      const { error } = values.get(outcomeKey);
      if (error !== undefined) throw toConnectError(error);
    },
    acceptCompression: [...COMPRESSIONS],
    jsonOptions: { ignoreUnknownFields: false },
  });
  for (const { desc } of rpcs) {
    router.rpc(desc, async (request, { values }) => {
      const outcome = values.get(outcomeKey);
      try {
        return await outcome.run(request);
      } catch (error) {
        outcome.failure = error;
        throw new ConnectError("the operation failed");
      }
    });
  }
  return new Map(router.handlers.map((handler) => [handler.requestPath, handler]));
}

/** The error as Connect sends it in all its protocols. */
export function toConnectError(error: SignetError): ConnectError {
  const headers = errorHeaders(error);
  const pairs = headers.flatMap((name, at) =>
    at % 2 === 0 ? [[name, headers[at + 1] ?? ""] as [string, string]] : [],
  );
  return new ConnectError(error.message, CODES[error.code].rpc, pairs, toDetails(error), error);
}
