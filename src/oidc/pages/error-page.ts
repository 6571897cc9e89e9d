import { type ErrorOut, errors, type KoaContextWithOIDC } from "oidc-provider";
import { html } from "../../html.ts";
import { sendPage } from "./send-page.ts";

/** The page for an error that cannot be returned to the application with a redirect. */
export function renderError(ctx: KoaContextWithOIDC, out: ErrorOut, error: Error): void {
  const { status } = ctx;
  sendPage(ctx, ({ error: texts }) => {
    const { title, text } = texts[problemOf(out, error)];
    const content = html`<p>${text}</p>
<p class="small">${texts.details} <code>${out.error}</code>${out.error_description !== undefined && html`: ${out.error_description}`}</p>`;
    return { status, title, icon: "problem", content };
  });
}

function problemOf({ error: code }: ErrorOut, error: Error): "expired" | "unknownApp" | "failed" | "refused" {
  if (error instanceof errors.SessionNotFound) return "expired";
  if (code === "invalid_client") return "unknownApp";
  return code === "server_error" ? "failed" : "refused";
}
