import type { KoaContextWithOIDC } from "oidc-provider";
import { DEFAULT_LANGUAGE, LANGUAGES, type Language } from "../../messages/languages.ts";
import { type PageParts, renderPage } from "../../web/frame/render-page.ts";
import { toLanguage } from "../sign-in-requests.ts";

/** Answers with a page in our layout. */
export function sendPage(ctx: KoaContextWithOIDC, parts: Omit<PageParts, "language">): void {
  const { status, headers, body } = renderPage({ ...parts, language: languageOf(ctx) });
  ctx.status = status;
  ctx.set(headers as Record<string, string>);
  ctx.body = body;
}

/** The language that the application asks for, otherwise the browser's. */
export function languageOf(ctx: KoaContextWithOIDC): Language {
  const requested = toLanguage(ctx.oidc?.params?.ui_locales ?? ctx.query.ui_locales);
  if (requested !== undefined) return requested;
  const accepted = ctx.acceptsLanguages([...LANGUAGES]);
  return LANGUAGES.find((language) => language === accepted) ?? DEFAULT_LANGUAGE;
}

/** The token that proves that a form is from our page; the session has it. */
export function formToken({ oidc }: KoaContextWithOIDC): string {
  return String(oidc.session?.state?.secret ?? "");
}
