import { createHash } from "node:crypto";
import type { KoaContextWithOIDC } from "oidc-provider";

/**
 * Provider middleware. Adds a content security policy to the provider's own page, which posts the response to the
 * application (OAuth 2.0 Form Post Response Mode). Without `form-action`, because the application may redirect.
 */
export async function protectFormPost(ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> {
  await next();
  if (typeof ctx.body !== "string" || !ctx.response.is("html") || ctx.res.hasHeader("content-security-policy")) return;
  // The values of the form come later, and the provider escapes them.
  const [, script = ""] = /<script>(.*?)<\/script>/s.exec(ctx.body) ?? [];
  const hash = createHash("sha256").update(script).digest("base64");
  ctx.set({
    "content-security-policy": `default-src 'none'; script-src 'sha256-${hash}'; base-uri 'none'; frame-ancestors 'none'`,
    "x-content-type-options": "nosniff",
    "x-robots-tag": "noindex",
  });
}
