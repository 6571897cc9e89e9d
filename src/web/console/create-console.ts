import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import type { Logger } from "pino";
import { CONSOLE_PATHS } from "../../apps/console-app.ts";
import type { Config } from "../../config.ts";
import type { Database } from "../../database/database.ts";
import type { Handler } from "../../http/exchange.ts";
import type { Mount } from "../../http/router.ts";
import { FIRST_ADMINISTRATOR_PATH } from "../../instance/administrator-link.ts";
import { hasAdministrator } from "../../instance/has-administrator.ts";
import { logFailure } from "../../log-failure.ts";
import { redirect } from "../frame/responses.ts";
import { BASE_STYLE } from "../frame/stylesheet.ts";
import { createStaticFile, versionOf } from "../reference/static-file.ts";
import { toRawHeaders } from "../serve-page.ts";
import { CONSOLE_HEADERS, renderConsolePage } from "./console-page.ts";

/** The program and the stylesheet of the console, which `npm run generate` builds from the folder `console`. */
const BUILT = new URL("../../../gen/console/", import.meta.url);

/** The files that the program imports, whose names contain a hash of their content. */
const PART = /^[\w-]+-[0-9A-Z]{8}\.js$/;

const SCRIPT = "/console/console.js";
const JAVASCRIPT = "text/javascript; charset=utf-8";
const STYLE = "/console/console.css";

interface ConsoleParts {
  readonly config: Pick<Config, "publicUrl">;
  readonly db: Database;
  readonly log: Logger;
}

/**
 * `/console`: the files of the console, a program in the browser that calls the API. All paths below it have the same
 * page. Its addresses of the script and the stylesheet contain a hash of them, and so do the names of the files that the
 * script imports, so browsers cache all of them forever. While the instance has no administrator, `/console` itself leads
 * to the page about the first one.
 */
export function createConsoleMounts({ config, db, log }: ConsoleParts): Mount[] {
  const onError = (err: unknown) => logFailure(log, "error", { err }, "a file of the console could not be read");
  const readScript = () => readFile(new URL("console.js", BUILT));
  const readStyle = async () => Buffer.from(BASE_STYLE + (await readFile(new URL("console.css", BUILT), "utf8")));
  const readPage = async () => {
    const [script, style] = await Promise.all([readScript(), readStyle()]);
    const assets = {
      script: `${SCRIPT}?v=${versionOf(script)}`,
      style: `${STYLE}?v=${versionOf(style)}`,
      parts: findImports(script.toString()).map((name) => `/console/${name}`),
    };
    return Buffer.from(renderConsolePage(config.publicUrl, assets));
  };
  const page = createStaticFile({
    type: "text/html; charset=utf-8",
    read: readPage,
    headers: CONSOLE_HEADERS,
    onError,
  });
  const asset = (type: string, read: () => Promise<Buffer>) =>
    createStaticFile({ type, read, isVersioned: true, onError });
  return [
    { prefix: SCRIPT, handler: asset(JAVASCRIPT, readScript) },
    { prefix: STYLE, handler: asset("text/css; charset=utf-8", readStyle) },
    ...readdirSync(BUILT)
      .filter((name) => PART.test(name))
      .map((name) => ({
        prefix: `/console/${name}`,
        handler: createStaticFile({
          type: JAVASCRIPT,
          read: () => readFile(new URL(name, BUILT)),
          isHashed: true,
          onError,
        }),
      })),
    { prefix: CONSOLE_PATHS.home, handler: createFirstDoor(db, page) },
    { prefix: CONSOLE_PATHS.root, handler: page },
  ];
}

/**
 * Redirects to the page about the first administrator until there is one. Concurrent requests share one query, and none
 * is sent once there is one, so that strangers cannot keep the database busy.
 */
function createFirstDoor(db: Database, page: Handler): Handler {
  let found: Promise<boolean> | undefined;
  const find = async () => {
    const isFound = await hasAdministrator(db).catch(() => undefined);
    if (isFound !== true) found = undefined;
    // The console can be shown without the database.
    return isFound ?? true;
  };
  return (exchange) => {
    const isRead = exchange.method === "GET" || exchange.method === "HEAD";
    if (!isRead || exchange.refuseStranger() !== undefined) return page(exchange);
    found ??= find();
    void found.then((isFound) => {
      if (isFound) return page(exchange);
      const { status, headers } = redirect(FIRST_ADMINISTRATOR_PATH);
      exchange.send(status, ["x-request-id", exchange.id, ...toRawHeaders(headers)], Buffer.alloc(0));
    });
  };
}

/** The files that a program needs before it can run, so that browsers load them at the same time. */
function findImports(script: string): string[] {
  const found = script.matchAll(/\b(?:from|import)\s*"\.\/([\w-]+\.js)"/g);
  return [...new Set(Array.from(found, ([, name = ""]) => name))];
}
