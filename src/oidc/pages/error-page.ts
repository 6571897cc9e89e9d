import { type ErrorOut, errors, type KoaContextWithOIDC } from "oidc-provider";
import { html } from "../../html.ts";
import { sendPage } from "./send-page.ts";

/** The page for an error that cannot be returned to the application with a redirect. */
export function renderError(ctx: KoaContextWithOIDC, out: ErrorOut, error: Error): void {
  if (mayAskInstead(ctx, error)) {
    ctx.status = 303;
    ctx.redirect(ctx.oidc.urlFor("end_session"));
    return;
  }
  const { status } = ctx;
  sendPage(ctx, ({ error: texts }) => {
    const { title, text } = texts[problemOf(out, error)];
    const content = html`<p>${text}</p>
<p class="small">${texts.details} <code>${out.error}</code>${out.error_description !== undefined && html`: ${out.error_description}`}</p>`;
    return { status, title, icon: "problem", content };
  });
}

const HINT_PROBLEMS = new Set<string | undefined>([
  "could not decode id_token_hint",
  "could not validate id_token_hint",
]);

/**
 * Whether a sign-out has a hint that cannot be verified, or comes from an application that is gone. The user, whom the
 * request without parameters asks, can sign out all the same (OpenID Connect RP-Initiated Logout 1.0, section 4).
 */
function mayAskInstead({ oidc }: KoaContextWithOIDC, error: Error): boolean {
  if (oidc?.route !== "end_session") return false;
  return (
    error instanceof errors.InvalidClient || HINT_PROBLEMS.has((error as errors.OIDCProviderError).error_description)
  );
}

function problemOf({ error: code }: ErrorOut, error: Error): "expired" | "unknownApp" | "failed" | "refused" {
  if (error instanceof errors.SessionNotFound) return "expired";
  if (code === "invalid_client") return "unknownApp";
  return code === "server_error" ? "failed" : "refused";
}
