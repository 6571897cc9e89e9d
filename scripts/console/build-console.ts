/**
 * Builds the console: writes `gen/console/console.js`, the files that it imports, of which those of screens are loaded when
 * they are shown, and `gen/console/console.css`. `npm run generate` runs it. The same sources give the same files.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { type BuildOptions, build } from "esbuild";
import { trimMessages } from "./trim-messages.ts";
import { findUsedMethods } from "./used-methods.ts";

const root = resolve(import.meta.dirname, "../..");
const source = join(root, "console");
const target = join(root, "gen/console");

/** The licenses of the packages in the files, once. */
const NOTICE =
  "/*! Contains preact, @preact/signals, oauth4webapi, csv-parse, @streamparser/json, libphonenumber-js (MIT), @connectrpc/connect, @connectrpc/connect-web (Apache-2.0), @bufbuild/protobuf (Apache-2.0 and BSD-3-Clause). */";

mkdirSync(target, { recursive: true });
// The names of other files contain a hash of their content.
for (const name of readdirSync(target)) if (name.endsWith(".js")) rmSync(join(target, name));

const options: BuildOptions = {
  absWorkingDir: root,
  entryPoints: ["main.tsx", "console.css"].map((file) => ({ in: join(source, file), out: "console" })),
  outdir: target,
  chunkNames: "[name]-[hash]",
  bundle: true,
  splitting: true,
  minify: true,
  format: "esm",
  platform: "browser",
  target: ["chrome123", "firefox120", "safari17.5"],
  jsx: "automatic",
  jsxImportSource: "preact",
  legalComments: "none",
  logLevel: "warning",
  // The same parser without Node.
  alias: { "csv-parse/sync": "csv-parse/browser/esm/sync" },
};

// The files of the program, of which some are shared with the command line, say which methods it uses.
const { metafile } = await build({ ...options, write: false, metafile: true });
const methods = findUsedMethods(Object.keys(metafile.inputs).map((file) => join(root, file)));
await build({ ...options, plugins: [trimMessages(join(root, "gen/signet/v1"), methods)] });

const program = join(target, "console.js");
writeFileSync(program, `${NOTICE}\n${readFileSync(program, "utf8")}`);
