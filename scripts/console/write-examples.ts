/** Writes gen/examples/nextjs.ts: the files of `examples/nextjs` that the console shows. `npm run build:console` runs it. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";

const NAMES = ["lib/signet.js", "lib/sealed-cookie.js", "app/sign-in/route.js", "app/signed-in/route.js"];

const files = NAMES.map((name) => ({ name, text: readFileSync(`examples/nextjs/${name}`, "utf8") }));
mkdirSync("gen/examples", { recursive: true });
writeFileSync("gen/examples/nextjs.ts", `export const NEXT_FILES = ${JSON.stringify(files, undefined, 2)};\n`);
