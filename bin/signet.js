#!/usr/bin/env node
import module from "node:module";
import { fileURLToPath } from "node:url";

// Plain JavaScript that any Node can run: it says what is missing where Node cannot run TypeScript itself.
const [major, minor] = process.versions.node.split(".").map(Number);
if (major > 24 || (major === 24 && minor >= 13)) {
  // Compiled code is kept beside the packages, where only who installed them can write: a start takes 0.4 s instead of 1.2.
  module.enableCompileCache(fileURLToPath(new URL("../node_modules/.cache/signet", import.meta.url)));
  await import("../src/main.ts");
} else {
  console.error(
    `signet: needs Node 24.13 or newer, this is ${process.version}: run it by npm (\`npm start\`, \`npx signet …\`), which brings its own on Linux, or install Node 24`,
  );
  process.exitCode = 1;
}
