/**
 * Builds the console: writes `gen/console/console.js` and `gen/console/console.css`. `npm run generate` runs it. The same
 * sources give the same files.
 */
import { join, resolve } from "node:path";
import { build } from "esbuild";
import { trimMessages } from "./trim-messages.ts";
import { findUsedMethods } from "./used-methods.ts";

const root = resolve(import.meta.dirname, "../..");
const source = join(root, "console");
const target = join(root, "gen/console");

/** The licenses of the packages in the file. */
const NOTICE =
  "/*! Contains preact, @preact/signals, oauth4webapi (MIT), @connectrpc/connect, @connectrpc/connect-web (Apache-2.0), @bufbuild/protobuf (Apache-2.0 and BSD-3-Clause). */";

await build({
  entryPoints: ["main.tsx", "console.css"].map((file) => ({ in: join(source, file), out: "console" })),
  outdir: target,
  bundle: true,
  minify: true,
  format: "esm",
  platform: "browser",
  target: ["chrome123", "firefox120", "safari17.5"],
  jsx: "automatic",
  jsxImportSource: "preact",
  legalComments: "none",
  logLevel: "warning",
  plugins: [trimMessages(join(root, "gen/signet/v1"), findUsedMethods(source))],
  banner: { js: NOTICE },
});
