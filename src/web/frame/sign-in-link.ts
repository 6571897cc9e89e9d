import { type Html, html } from "../../messages/html.ts";
import type { Language } from "../../messages/languages.ts";
import { ACCOUNT_PATH } from "./account-app.ts";

/** The text of the links, and the label of the user name. */
export const SIGN_IN_LINK_TEXTS: Readonly<Record<Language, { readonly signIn: string; readonly userName: string }>> = {
  en: { signIn: "Sign in", userName: "User name" },
  de: { signIn: "Anmelden", userName: "Benutzername" },
  fr: { signIn: "Se connecter", userName: "Nom d’utilisateur" },
  es: { signIn: "Iniciar sesión", userName: "Nombre de usuario" },
};

/** Links from a completed page to the sign-in of an organization, and then to the account page. */
export function signInLink(language: Language, orgId: string): Html {
  return html`<p><a class="button" href="${ACCOUNT_PATH}?org=${orgId}">${SIGN_IN_LINK_TEXTS[language].signIn}</a></p>`;
}
