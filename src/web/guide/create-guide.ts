import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { Worker } from "node:worker_threads";
import type { Logger } from "pino";
import { SignetError } from "../../errors.ts";
import type { Handler } from "../../http/exchange.ts";
import { type Mount, sendError, sendWrongMethod } from "../../http/router.ts";
import { logFailure } from "../../log-failure.ts";
import { PAGE_HEADERS } from "../reference/page-headers.ts";
import { createStaticFile } from "../reference/static-file.ts";
import type { GuideFile } from "./build-guide.ts";
import { GUIDE, NOT_FOUND } from "./guide-paths.ts";

/** The guide. It is built once per process. */
interface Guide {
  readonly handlers: ReadonlyMap<string, Handler>;
  readonly notFound: Buffer;
}

/**
 * `/docs/guide`: the pages of `docs` with a search. They are built on the first request, in a worker thread, so that
 * calls do not wait for it. There is no build step to forget, and the pages match the running version. Documentation
 * frameworks bring 100 to 1,000 packages, and inline scripts, which the Content-Security-Policy forbids.
 */
export function createGuideMounts({ log }: { log: Logger }): Mount[] {
  const onError = (err: unknown) => logFailure(log, "error", { err }, "the guide could not be read");
  let guide: Promise<Guide> | undefined;

  const handler: Handler = (exchange) => {
    const own = ["x-request-id", exchange.id];
    if (exchange.method !== "GET" && exchange.method !== "HEAD") return sendWrongMethod(exchange, own, ["GET", "HEAD"]);
    const refusal = exchange.refuseStranger();
    if (refusal !== undefined) return sendError(exchange, own, refusal);
    guide ??= build().then((files) => toGuide(files, onError));
    guide.then(
      ({ handlers, notFound }) => {
        const serve = handlers.get(exchange.path.replace(/\/$/, ""));
        if (serve) serve(exchange);
        else exchange.send(404, [...own, ...PAGE_HEADERS, "content-type", "text/html; charset=utf-8"], notFound);
      },
      (error) => {
        guide = undefined;
        onError(error);
        sendError(exchange, own, new SignetError("INTERNAL", "internal error"));
      },
    );
  };

  return [
    { prefix: GUIDE, handler },
    { prefix: `${GUIDE}/`, handler },
  ];
}

async function build(): Promise<GuideFile[]> {
  const worker = new Worker(new URL("./build-worker.ts", import.meta.url));
  try {
    const [files] = await once(worker, "message");
    return files;
  } finally {
    await worker.terminate();
  }
}

function toGuide(files: readonly GuideFile[], onError: (error: unknown) => void): Guide {
  const handlers = new Map<string, Handler>();
  let notFound = Buffer.alloc(0);
  for (const { path, type, body } of files) {
    if (path === NOT_FOUND && "text" in body) notFound = Buffer.from(body.text);
    const headers = type.startsWith("text/html") ? PAGE_HEADERS : [];
    const read = () => ("text" in body ? Promise.resolve(Buffer.from(body.text)) : readFile(body.file));
    handlers.set(path, createStaticFile({ type, read, headers, onError }));
  }
  return { handlers, notFound };
}
