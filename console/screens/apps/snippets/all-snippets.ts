import type { Kind } from "../kinds.ts";
import { toAuthlib, toAuthlibService } from "./authlib.ts";
import { toBrowser, toNodeService } from "./browser.ts";
import { toCurl, toCurlDevice, toCurlService } from "./curl.ts";
import { toExpress } from "./express.ts";
import { toGo, toGoService } from "./go.ts";
import { toNext } from "./next.ts";
import type { Snippet, SnippetValues } from "./snippet.ts";
import { toSpring, toSpringService } from "./spring.ts";

/** The programs for each kind of application. */
export const SNIPPETS: Readonly<Record<Kind, readonly ((values: SnippetValues) => Snippet)[]>> = {
  web: [toExpress, toNext, toSpring, toAuthlib, toGo, toCurl],
  browser: [toBrowser],
  native: [toCurlDevice],
  service: [toCurlService, toNodeService, toSpringService, toAuthlibService, toGoService],
};
