import { checkConfiguration, hasHaProxy } from "./haproxy.ts";

const title = "HAProxy accepts the example configuration for PostgreSQL without a warning";
(hasHaProxy() ? test : test.skip)(hasHaProxy() ? title : `${title} (skipped: it is not installed)`, () => {
  expect(checkConfiguration).not.toThrow();
});
