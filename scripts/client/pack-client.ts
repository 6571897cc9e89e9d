/**
 * Packs the TypeScript client: `npm run pack:client [-- folder]` writes `signet-client-<version>.tgz` to the folder, by
 * default the current one. It is built in a temporary folder, needs no network, and prints the path of the file.
 */
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { build } from "esbuild";

const SOURCE = "clients/typescript";
const root = resolve(import.meta.dirname, "../..");
const target = resolve(process.argv[2] ?? ".");
const stage = mkdtempSync(join(tmpdir(), "signet-client-"));
try {
  run("buf", ["generate", "--template", `${SOURCE}/buf.gen.yaml`, "--output", stage]);
  for (const file of ["package.json", "README.md", "tsconfig.json"])
    cpSync(join(root, SOURCE, file), join(stage, file));
  cpSync(join(root, "LICENSE"), join(stage, "LICENSE"));
  copySources();
  symlinkSync(join(root, "node_modules"), join(stage, "node_modules"));
  run("tsc", ["--project", stage]);
  await bundle();
  mkdirSync(target, { recursive: true });
  const [packed] = JSON.parse(run("npm", ["pack", stage, "--json", "--pack-destination", target]));
  console.log(join(target, packed.filename));
} finally {
  rmSync(stage, { recursive: true, force: true });
}

/** In the package, `gen` is next to the source folder. */
function copySources(): void {
  mkdirSync(join(stage, "src"));
  for (const file of readdirSync(join(root, SOURCE, "src"))) {
    const text = readFileSync(join(root, SOURCE, "src", file), "utf8");
    writeFileSync(join(stage, "src", file), text.replaceAll('"../../../gen/', '"../gen/'));
  }
}

/** One module with everything that a page without a bundler needs. */
async function bundle(): Promise<void> {
  const { version } = JSON.parse(readFileSync(join(stage, "package.json"), "utf8"));
  await build({
    entryPoints: [join(stage, "dist/web.js")],
    outfile: join(stage, "dist/browser.js"),
    bundle: true,
    minify: true,
    format: "esm",
    platform: "browser",
    target: "es2022",
    logLevel: "warning",
    banner: {
      js: `/*! @signet/client ${version}, Apache-2.0. Contains @bufbuild/protobuf (Apache-2.0 and BSD-3-Clause; Copyright Buf Technologies, Inc. and Google Inc.), @connectrpc/connect and @connectrpc/connect-web (Apache-2.0; Copyright The Connect Authors). */`,
    },
  });
}

function run(command: string, args: readonly string[]): string {
  const path = `${join(root, "node_modules/.bin")}:${process.env.PATH}`;
  return execFileSync(command, args, {
    cwd: root,
    env: { ...process.env, PATH: path },
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
}
