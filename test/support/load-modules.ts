import { useCompileCache } from "./compile-cache.ts";

// Node writes the cache when this process exits.
useCompileCache();
for (const module of [
  "../../src/cli/serve.ts",
  "../../src/cli/serve-primary.ts",
  "../../src/cli/serve-process.ts",
  // Loaded after the start.
  "../../src/oidc/create-provider.ts",
  "../../src/web/create-pages.ts",
  "@bufbuild/protovalidate",
  "@connectrpc/connect-node",
  "libphonenumber-js/max",
  // Loaded by most test files.
  "./callers.ts",
  "./process.ts",
  "./service.ts",
]) {
  await import(module);
}
