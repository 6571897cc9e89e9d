import type { KoaContextWithOIDC } from "oidc-provider";
import type { Brandings } from "../../branding/create-brandings.ts";
import { BUILT_IN_LABEL } from "../../branding/label-settings.ts";
import type { Language } from "../../texts/languages.ts";
import { acceptedLanguage } from "../../web/frame/accepted-language.ts";
import { layOut } from "../../web/frame/lay-out.ts";
import type { PageResponse } from "../../web/frame/page.ts";
import { type PageParts, renderPage } from "../../web/frame/render-page.ts";
import { toLanguage } from "../interactions.ts";

/** Responds with a page in the common layout. `layOutPages` gives it its branding. */
export function sendPage(ctx: KoaContextWithOIDC, parts: Omit<PageParts, "language">): void {
  const page = renderPage({ ...parts, language: languageOf(ctx) });
  ctx.status = page.status;
  ctx.set(page.headers as Record<string, string>);
  ctx.body = layOut(page, BUILT_IN_LABEL).body;
  ctx.state.page = page;
}

/** Provider middleware. Pages of the provider have the branding of the instance, because they belong to no organization. */
export function layOutPages(brandings: Brandings) {
  return async (ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> => {
    await next();
    const page = ctx.state.page as PageResponse | undefined;
    if (page === undefined) return;
    const branding = await brandings.find(undefined).catch(() => undefined);
    if (branding !== undefined) ctx.body = layOut(page, branding.label).body;
  };
}

/** The language that the application requests, or else the browser's language. */
export function languageOf(ctx: KoaContextWithOIDC): Language {
  return toLanguage(ctx.oidc?.params?.ui_locales ?? ctx.query.ui_locales) ?? acceptedLanguage(ctx.headers);
}

/** The session's token, which proves that a form came from a Signet page. */
export function formToken({ oidc }: KoaContextWithOIDC): string {
  return String(oidc.session?.state?.secret ?? "");
}
