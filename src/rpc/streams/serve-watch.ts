import type { DescMethod } from "@bufbuild/protobuf";
import { Code, ConnectError, createContextValues } from "@connectrpc/connect";
import type { Logger } from "pino";
import type { Authorize, CallerIdentity } from "../../access/authorize.ts";
import { elapsedMs } from "../../clock.ts";
import type { Exchange } from "../../http/exchange.ts";
import { grpcProtocolOf } from "../grpc/headers.ts";
import { readPermission } from "../implement.ts";
import { toCredentials } from "../run-call.ts";
import { encodeItems } from "./event-messages.ts";
import type { OpenStreams } from "./open-streams.ts";
import { type StreamCall, serveStream, toSignetError } from "./serve-stream.ts";
import { type Watching, watchingKey } from "./watching.ts";

interface ServeWatchParts {
  readonly authorize: Authorize;
  readonly streams: OpenStreams;
  readonly log: Logger;
}

/** Serves a call of `WatchEvents`, whose operation finds its `Watching` under `watchingKey`, and logs its end. */
export async function serveWatch({ authorize, streams, log }: ServeWatchParts, watchCall: StreamCall): Promise<void> {
  const { exchange, handler } = watchCall;
  const permission = readPermission(handler.method);
  const credentials = toCredentials(exchange);
  const over = new AbortController();
  exchange.onClose(() => over.abort(new ConnectError("the client has gone", Code.Canceled)));
  const logged = createLogLine(log, exchange, handler.method);
  const throwIfOver = () => {
    if (over.signal.aborted) throw over.signal.reason;
  };
  const claimant = { throwIfOver, identify: logged.identify };
  const format = /\+json\b/i.test(exchange.headers["content-type"] ?? "") ? "json" : "binary";
  await serveStream(watchCall, async (ends, send) => {
    try {
      const caller = await authorize(credentials, permission, claimant);
      logged.setOrg(caller.orgId);
      const stream = streams.open({ key: caller.userId, orgId: caller.userOrgId }, true, {
        ...ends,
        endRequest: (error) => over.abort(error ?? new ConnectError("the client is idle", Code.Canceled)),
      });
      const call = { ...caller, signal: over.signal, throwIfOver };
      const watching: Watching = {
        call,
        stream,
        over,
        recheck: () => authorize(credentials, permission, claimant),
        send: (items) => send(encodeItems(items, format)),
        end: logged.end,
      };
      return { stream, values: createContextValues().set(watchingKey, watching) };
    } catch (error) {
      const { code, reason } = toSignetError(error);
      logged.end(code, reason);
      throw error;
    }
  });
}

/** Writes the log line of a stream at its first end. */
function createLogLine(log: Logger, exchange: Exchange, method: DescMethod) {
  const startedAt = performance.now();
  let identity: CallerIdentity | undefined;
  let orgId: string | undefined;
  let hasEnded = false;
  return {
    identify(found: CallerIdentity): void {
      identity = found;
    },
    setOrg(id: string): void {
      orgId = id;
    },
    end(code: string, reason?: string): void {
      if (hasEnded) return;
      hasEnded = true;
      const name = `${method.parent.typeName}/${method.name}`;
      const protocol = grpcProtocolOf(exchange.headers) ?? "connect";
      const line = { requestId: exchange.id, method: name, protocol, code, reason, ms: elapsedMs(startedAt), orgId };
      log.info({ ...line, ...identity }, "call");
    },
  };
}
