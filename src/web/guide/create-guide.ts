import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Logger } from "pino";
import { SignetError } from "../../errors.ts";
import type { Handler } from "../../http/exchange.ts";
import { type Mount, sendError, sendWrongMethod } from "../../http/router.ts";
import { logFailure } from "../../log-failure.ts";
import { BASE_STYLE } from "../frame/stylesheet.ts";
import { PAGE_HEADERS } from "../reference/page-headers.ts";
import { createStaticFile } from "../reference/static-file.ts";

/** The path of the guide. */
export const GUIDE = "/docs/guide";

/** The page for unknown paths. */
export const NOT_FOUND = `${GUIDE}/not-found`;

/** A file of the guide. */
export interface GuideFile {
  /** Below `/docs/guide`. */
  readonly path: string;
  /** The content type. */
  readonly type: string;
  /** Relative to the root of the repository. */
  readonly file: string;
}

/** The guide. Its list of files is read once per process. */
interface Guide {
  readonly handlers: ReadonlyMap<string, Handler>;
  readonly notFound: Buffer;
}

/** In this folder. `guide.js` imports the others. */
const SCRIPTS = ["guide.js", "search.js", "synonyms.js"];
const ROOT = join(import.meta.dirname, "../../..");
const SCRIPT = "text/javascript; charset=utf-8";
const STYLE = "text/css; charset=utf-8";

/**
 * `/docs/guide`: the pages of `docs` with a search, which `npm run generate` writes to `gen/guide`. Documentation frameworks
 * bring 100 to 1,000 packages, and inline scripts, which the Content-Security-Policy forbids.
 */
export function createGuideMounts({ log }: { log: Logger }): Mount[] {
  const onError = (err: unknown) => logFailure(log, "error", { err }, "the guide could not be read");
  let guide: Promise<Guide> | undefined;

  const handler: Handler = (exchange) => {
    const own = ["x-request-id", exchange.id];
    if (exchange.method !== "GET" && exchange.method !== "HEAD") return sendWrongMethod(exchange, own, ["GET", "HEAD"]);
    const refusal = exchange.refuseStranger();
    if (refusal !== undefined) return sendError(exchange, own, refusal);
    guide ??= readGuide(onError);
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

async function readGuide(onError: (error: unknown) => void): Promise<Guide> {
  const serve = (type: string, read: () => Promise<Buffer>) =>
    createStaticFile({ type, read, headers: type.startsWith("text/html") ? PAGE_HEADERS : [], onError });
  const files: readonly GuideFile[] = JSON.parse(await readFile(join(ROOT, "gen/guide/files.json"), "utf8"));
  const handlers = new Map(files.map(({ path, type, file }) => [path, serve(type, () => readFile(join(ROOT, file)))]));
  const own = (name: string) => join(import.meta.dirname, name);
  // The ES module is next to the CommonJS one, which `require` resolves to.
  const minisearch = join(createRequire(import.meta.url).resolve("minisearch"), "../../es/index.js");
  const readStyle = async () => Buffer.from(BASE_STYLE + (await readFile(own("guide.css"), "utf8")));
  handlers.set(`${GUIDE}/guide.css`, serve(STYLE, readStyle));
  const scripts = { "minisearch.js": minisearch, ...Object.fromEntries(SCRIPTS.map((name) => [name, own(name)])) };
  for (const [name, file] of Object.entries(scripts)) {
    const read = () => readFile(file);
    handlers.set(`${GUIDE}/${name}`, serve(SCRIPT, read));
  }
  const notFound = files.find(({ path }) => path === NOT_FOUND)?.file ?? "";
  return { handlers, notFound: await readFile(join(ROOT, notFound)) };
}
