#!/usr/bin/env node
import module from "node:module";
import { fileURLToPath } from "node:url";

// Plain JavaScript, so that a Node version without TypeScript support can print the error below.
const [major, minor] = process.versions.node.split(".").map(Number);
if (major > 24 || (major === 24 && minor >= 13)) {
  // The compile cache reduces the start from 1.2 s to 0.4 s. Its folder is writable only by the owner of the packages.
  module.enableCompileCache(fileURLToPath(new URL("../node_modules/.cache/signet", import.meta.url)));
  await import("../src/main.ts");
} else {
  console.error(
    `signet: requires Node 24.13 or newer, got ${process.version}: install Node 24, or use npm (\`npm start\`, \`npx signet …\`), which provides Node on Linux`,
  );
  process.exitCode = 1;
}
