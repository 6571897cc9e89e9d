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

const SCRIPT = "/console/console.js";
const STYLE = "/console/console.css";

/**
 * `/console`: the files of the console, a program in the browser that calls the API. All paths below it have the same
 * page. Its addresses of the script and the stylesheet contain a hash of them, so browsers cache both forever.
 */
export function createConsoleMounts({ config, log }: { config: Pick<Config, "publicUrl">; log: Logger }): Mount[] {
  const onError = (err: unknown) => logFailure(log, "error", { err }, "a file of the console could not be read");
  const readScript = () => readFile(new URL("console.js", BUILT));
  const readStyle = async () => Buffer.from(BASE_STYLE + (await readFile(new URL("console.css", BUILT), "utf8")));
  const readPage = async () => {
    const [script, style] = await Promise.all([readScript(), readStyle()]);
    const assets = { script: `${SCRIPT}?v=${versionOf(script)}`, style: `${STYLE}?v=${versionOf(style)}` };
    return Buffer.from(renderConsolePage(config.publicUrl, assets));
  };
  const page = createStaticFile({
    type: "text/html; charset=utf-8",
    read: readPage,
    headers: CONSOLE_HEADERS,
    onError,
  });
  const asset = (type: string, read: () => Promise<Buffer>) =>
    createStaticFile({ type: `${type}; charset=utf-8`, read, isVersioned: true, onError });
  return [
    { prefix: SCRIPT, handler: asset("text/javascript", readScript) },
    { prefix: STYLE, handler: asset("text/css", readStyle) },
    { prefix: "/console", handler: page },
    { prefix: "/console/", handler: page },
  ];
}
