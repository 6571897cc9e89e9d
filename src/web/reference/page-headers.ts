import type { RawHeaders } from "../../http/exchange.ts";

/** Swagger UI embeds its icons as `data:` URLs. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** Headers of the documentation pages, which load nothing from elsewhere. */
export const PAGE_HEADERS: RawHeaders = [
  "content-security-policy",
  POLICY,
  "referrer-policy",
  "no-referrer",
  "cross-origin-opener-policy",
  "same-origin",
];
