import type { KoaContextWithOIDC } from "oidc-provider";
import { type Brandings, BUILT_IN_BRANDING } from "../../branding/create-brandings.ts";
import type { Language } from "../../texts/languages.ts";
import type { PageTexts } from "../../texts/page-language.ts";
import { acceptedLanguage } from "../../web/frame/accepted-language.ts";
import type { PageResponse } from "../../web/frame/page.ts";
import { type PageParts, renderInBranding } from "../../web/frame/render-page.ts";
import { inOrg, layOut } from "../../web/frame/responses.ts";
import { toLanguage } from "../interactions.ts";

/**
 * Responds with a page in the common layout. `layOutPages` gives it its branding.
 *
 * @param write Returns the page with the given texts.
 * @param orgId The organization whose branding the page has; by default, it is that of the instance.
 */
export function sendPage(
  ctx: KoaContextWithOIDC,
  write: (texts: PageTexts["oidc"]) => Omit<PageParts, "language">,
  orgId?: string,
): void {
  const page = renderInBranding(languageOf(ctx), ({ texts }) => write(texts.oidc));
  ctx.status = page.status;
  ctx.set(page.headers as Record<string, string>);
  ctx.body = layOut(page, BUILT_IN_BRANDING).body;
  ctx.state.page = orgId === undefined ? page : inOrg(orgId, page);
}

/** Provider middleware. It lays out the page of `sendPage` in its branding. */
export function layOutPages(brandings: Brandings) {
  return async (ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> => {
    await next();
    const page = ctx.state.page as PageResponse | undefined;
    if (page === undefined) return;
    const branding = await brandings.find(page.orgId).catch(() => undefined);
    if (branding !== undefined) ctx.body = layOut(page, branding).body;
  };
}

/** The language that the application requests, or else the browser's language. */
function languageOf(ctx: KoaContextWithOIDC): Language {
  return toLanguage(ctx.oidc?.params?.ui_locales ?? ctx.query.ui_locales) ?? acceptedLanguage(ctx.headers);
}

/** The session's token, which proves that a form came from a Signet page. */
export function formToken({ oidc }: KoaContextWithOIDC): string {
  return String(oidc.session?.state?.secret ?? "");
}
