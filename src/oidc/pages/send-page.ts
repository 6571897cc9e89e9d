import type { KoaContextWithOIDC } from "oidc-provider";
import { DEFAULT_LANGUAGE, LANGUAGES, type Language } from "../../messages/languages.ts";
import { type PageParts, renderPage } from "../../web/frame/render-page.ts";
import { toLanguage } from "../sign-in-requests.ts";

/** Responds with a page in the common layout. */
export function sendPage(ctx: KoaContextWithOIDC, parts: Omit<PageParts, "language">): void {
  const { status, headers, body } = renderPage({ ...parts, language: languageOf(ctx) });
  ctx.status = status;
  ctx.set(headers as Record<string, string>);
  ctx.body = body;
}

/** The language that the application requests, or else the browser's language. */
export function languageOf(ctx: KoaContextWithOIDC): Language {
  const requested = toLanguage(ctx.oidc?.params?.ui_locales ?? ctx.query.ui_locales);
  if (requested !== undefined) return requested;
  const accepted = ctx.acceptsLanguages([...LANGUAGES]);
  return LANGUAGES.find((language) => language === accepted) ?? DEFAULT_LANGUAGE;
}

/** The session's token, which proves that a form came from a Signet page. */
export function formToken({ oidc }: KoaContextWithOIDC): string {
  return String(oidc.session?.state?.secret ?? "");
}
