for (const module of [
  "../../../src/server/serve.ts",
  "../../../src/server/serve-primary.ts",
  "../../../src/server/serve-process.ts",
  // Loaded after the start.
  "../../../src/oidc/create-provider.ts",
  "../../../src/web/create-pages.ts",
  "@bufbuild/protovalidate",
  "@connectrpc/connect-node",
  "libphonenumber-js/max",
  // Loaded by most test files.
  "../clients/callers.ts",
  "../servers/process.ts",
  "../servers/service.ts",
]) {
  await import(module);
}
