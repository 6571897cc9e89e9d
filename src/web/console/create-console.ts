import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import type { Logger } from "pino";
import type { Config } from "../../config.ts";
import type { Mount } from "../../http/router.ts";
import { logFailure } from "../../log-failure.ts";
import { BASE_STYLE } from "../frame/stylesheet.ts";
import { createStaticFile, versionOf } from "../reference/static-file.ts";
import { CONSOLE_HEADERS, renderConsolePage } from "./console-page.ts";

/** The program and the stylesheet of the console, which `npm run generate` builds from the folder `console`. */
const BUILT = new URL("../../../gen/console/", import.meta.url);

/** The files that the program imports, whose names contain a hash of their content. */
const PART = /^[\w-]+-[0-9A-Z]{8}\.js$/;

const SCRIPT = "/console/console.js";
const JAVASCRIPT = "text/javascript; charset=utf-8";
const STYLE = "/console/console.css";

/**
 * `/console`: the files of the console, a program in the browser that calls the API. All paths below it have the same
 * page. Its addresses of the script and the stylesheet contain a hash of them, and so do the names of the files that the
 * script imports, so browsers cache all of them forever.
 */
export function createConsoleMounts({ config, log }: { config: Pick<Config, "publicUrl">; log: Logger }): Mount[] {
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
    { prefix: "/console", handler: page },
    { prefix: "/console/", handler: page },
  ];
}

/** The files that a program needs before it can run, so that browsers load them at the same time. */
function findImports(script: string): string[] {
  const found = script.matchAll(/\b(?:from|import)\s*"\.\/([\w-]+\.js)"/g);
  return [...new Set(Array.from(found, ([, name = ""]) => name))];
}
