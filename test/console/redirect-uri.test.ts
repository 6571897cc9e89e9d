import { KIND_NAMES, type Kind } from "../../console/screens/apps/kinds.ts";
import {
  findRedirectUriProblem,
  isRejected,
  type RedirectUriProblem,
} from "../../console/screens/apps/redirect-uri.ts";
import { describeRedirectUriProblem } from "../../src/fields/client-uri.ts";

const URIS = [
  "https://app.example.com/signed-in",
  "https://app.example.com",
  "https://app.example.com/signed-in?from=x",
  "https://app.example.com/#signed-in",
  "https://ada@app.example.com/",
  "https://*.example.com/",
  "https://app.example.com/*",
  "https://äpp.example.com/",
  "https://app.example.com/a b",
  "app.example.com/signed-in",
  "/signed-in",
  "https://",
  "http://app.example.com/",
  "http://localhost/",
  "http://localhost:3000/signed-in",
  "http://127.0.0.1:3000/",
  "http://[::1]:3000/",
  "http://127.0.0.2/",
  "http://localhost.example.com/",
  "com.example.app:/signed-in",
  "myapp://signed-in",
  "javascript:alert(1)",
  "data:text/html,x",
  "file:///etc/passwd",
  "urn:ietf:wg:oauth:2.0:oob",
];

const CASES = URIS.flatMap((uri) =>
  KIND_NAMES.flatMap((kind) => [true, false].map((dev) => [uri, kind, dev] as const)),
);

test.each(CASES)("the console rejects %s of the kind %s, in development %s, if the API does", (uri, kind, devMode) => {
  const problem = findRedirectUriProblem(uri, kind, devMode);
  const isRefused = describeRedirectUriProblem(uri, { native: kind === "native", devMode }) !== undefined;
  expect(problem !== undefined && isRejected(problem)).toBe(isRefused);
});

test.each<[string, Kind, boolean, RedirectUriProblem]>([
  ["https://*.example.com/", "web", false, "wildcard"],
  ["http://app.example.com/", "web", true, "unencrypted"],
  ["http://app.example.com/", "web", false, "httpsOrDevMode"],
  ["http://app.example.com/", "native", false, "httpsOrLoopback"],
  ["myapp://signed-in", "native", false, "httpsOrScheme"],
  ["com.example.app:/signed-in", "web", false, "https"],
  ["https://app.example.com/#x", "browser", false, "fragment"],
  ["https://ada@app.example.com/", "web", false, "userInfo"],
  ["/signed-in", "web", false, "notAbsolute"],
])("the problem of %s of the kind %s, in development %s, is %s", (uri, kind, devMode, problem) => {
  expect(findRedirectUriProblem(uri, kind, devMode)).toBe(problem);
});
