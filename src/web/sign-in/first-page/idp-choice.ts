import { type Html, html } from "../../../html.ts";
import type { OfferedIdp } from "../../../idps/find-sign-in-idp.ts";
import type { IdpKind } from "../../../idps/kinds.ts";
import { STYLING_TYPE } from "../../../idps/stored-numbers.ts";
import type { PageTexts } from "../../../texts/page-language.ts";
import { fillIn } from "../../../texts/placeholders.ts";
import { field } from "../../frame/field.ts";
import type { PageRequest } from "../../frame/page.ts";
import type { SignInParts, SignInVisit } from "../sign-in-parts.ts";
import { SIGN_IN_PREFIX, stepPath } from "../steps.ts";

/** The providers that the first page offers. */
export interface IdpChoice {
  readonly idps: readonly OfferedIdp[];
  /** Undefined unless the person has searched for one. */
  readonly search: { readonly text: string; readonly found: readonly OfferedIdp[] } | undefined;
}

export async function findIdps(
  { idpOffers }: SignInParts,
  { signIn, caller }: SignInVisit,
): Promise<readonly OfferedIdp[]> {
  return signIn.policy.allowExternalIdp ? await idpOffers.find(signIn.org.id, caller) : [];
}

export async function findIdpChoice(parts: SignInParts, visit: SignInVisit): Promise<IdpChoice> {
  const idps = await findIdps(parts, visit);
  const text = idps.length === 0 ? "" : readSearch(visit.request);
  if (text === "") return { idps, search: undefined };
  const found = await parts.idpOffers.search(visit.signIn.org.id, text, visit.caller);
  return { idps, search: { text, found } };
}

/** The button of a brand, as far as the brand prescribes it. */
interface Brand {
  /** The classes in style.css. */
  readonly look: string;
  /** The title. Without one, the button has the name of the provider. */
  readonly title?: (texts: PageTexts["signIn"]["idp"]) => string;
}

const BRANDS: Readonly<Record<IconName, Brand>> = {
  // developer.apple.com/design/human-interface-guidelines/sign-in-with-apple
  apple: { look: "apple", title: ({ button }) => fillIn(button, { name: "Apple" }) },
  // brand.github.com/foundations/logo
  github: { look: "secondary github" },
  // GitLab prescribes the colors of its logo only.
  gitlab: { look: "secondary" },
  // developers.google.com/identity/branding-guidelines
  google: { look: "google", title: ({ google }) => google },
  // learn.microsoft.com/entra/identity-platform/howto-add-branding-in-apps
  microsoft: { look: "microsoft", title: ({ button }) => fillIn(button, { name: "Microsoft" }) },
  other: { look: "secondary" },
};

/**
 * The buttons that start a sign-in with a provider. They submit the sign-in form to a different URL, so that "Keep me
 * signed in" applies to them too. Names tell buttons apart that have the same title.
 *
 * @param formId The id of the sign-in form.
 */
export function idpButtons({ signIn, language }: SignInVisit, { idps, search }: IdpChoice, formId: string): Html {
  const texts = language.texts.signIn.idp;
  const buttons = (search?.found ?? idps).map(({ id, name, ...idp }) => {
    const icon = iconOf(idp);
    const { look, title } = BRANDS[icon];
    return { id, name, look, icon: ICONS_OF_PROVIDERS[icon], title: title?.(texts) };
  });
  return html`${buttons.map(({ id, name, look, icon, title }) => {
    const isSeveral = title !== undefined && buttons.filter((other) => other.title === title).length > 1;
    return html`<button class="${look}" form="${formId}" name="idp" value="${id}" formaction="${stepPath(signIn, "idp")}" formnovalidate>${icon}<span>${title ?? fillIn(texts.button, { name })}${isSeveral && html` <span class="spoken">(${name})</span>`}</span></button>\n${isSeveral && html`<p class="small">${name}</p>\n`}`;
  })}`;
}

/** The brands whose icons the sign-in page has. */
type IconName = "apple" | "github" | "gitlab" | "google" | "microsoft" | "other";

const HOSTS: Readonly<Record<string, IconName>> = {
  "accounts.google.com": "google",
  "appleid.apple.com": "apple",
  "github.com": "github",
  "gitlab.com": "gitlab",
  "login.microsoftonline.com": "microsoft",
  "sts.windows.net": "microsoft",
};

/** The icons of the kinds of providers that have one. */
const ICONS_OF_KINDS: Readonly<Partial<Record<IdpKind, IconName>>> = {
  apple: "apple",
  azure: "microsoft",
  github: "github",
  github_es: "github",
  gitlab: "gitlab",
  gitlab_self_hosted: "gitlab",
  google: "google",
};

/** The icon of a provider: that of its kind or issuer, or a neutral one. */
export function iconOf({ kind, stylingType, issuer }: Pick<OfferedIdp, "kind" | "stylingType" | "issuer">): IconName {
  const ofKind = ICONS_OF_KINDS[kind];
  if (ofKind !== undefined) return ofKind;
  if (stylingType === STYLING_TYPE.google) return "google";
  return HOSTS[URL.parse(issuer)?.hostname ?? ""] ?? "other";
}

/** An icon that is drawn with lines. */
const drawn = (paths: Html) => html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true">${paths}</svg>`;

/** A brand's icon in the color of the text. */
const flat = (path: string) =>
  html`<svg viewBox="0 0 24 24" fill="currentcolor" aria-hidden="true"><path d="${path}"/></svg>`;

export const PASSKEY_ICON = drawn(html`<circle cx="7.5" cy="16.5" r="5"/><path d="M11.2 12.8 21 3m-4.5 4.5L20 11"/>`);

/**
 * The icons of providers, in the colors that the brands require on the background of the buttons. The paths of Apple
 * and GitHub are from Simple Icons 16.37.0 (CC0 1.0).
 */
const ICONS_OF_PROVIDERS: Readonly<Record<IconName, Html>> = {
  // Apple requires the color of the text, and GitHub black or white (brand.github.com/foundations/logo).
  apple: flat(
    "M12.152 6.896c-.948 0-2.415-1.078-3.96-1.04-2.04.027-3.91 1.183-4.961 3.014-2.117 3.675-.546 9.103 1.519 12.09 1.013 1.454 2.208 3.09 3.792 3.039 1.52-.065 2.09-.987 3.935-.987 1.831 0 2.35.987 3.96.948 1.637-.026 2.676-1.48 3.676-2.948 1.156-1.688 1.636-3.325 1.662-3.415-.039-.013-3.182-1.221-3.22-4.857-.026-3.04 2.48-4.494 2.597-4.559-1.429-2.09-3.623-2.324-4.39-2.376-2-.156-3.675 1.09-4.61 1.09zM15.53 3.83c.843-1.012 1.4-2.427 1.245-3.83-1.207.052-2.662.805-3.532 1.818-.78.896-1.454 2.338-1.273 3.714 1.338.104 2.715-.688 3.559-1.701",
  ),
  github: flat(
    "M12 .297c-6.63 0-12 5.373-12 12 0 5.303 3.438 9.8 8.205 11.385.6.113.82-.258.82-.577 0-.285-.01-1.04-.015-2.04-3.338.724-4.042-1.61-4.042-1.61C4.422 18.07 3.633 17.7 3.633 17.7c-1.087-.744.084-.729.084-.729 1.205.084 1.838 1.236 1.838 1.236 1.07 1.835 2.809 1.305 3.495.998.108-.776.417-1.305.76-1.605-2.665-.3-5.466-1.332-5.466-5.93 0-1.31.465-2.38 1.235-3.22-.135-.303-.54-1.523.105-3.176 0 0 1.005-.322 3.3 1.23.96-.267 1.98-.399 3-.405 1.02.006 2.04.138 3 .405 2.28-1.552 3.285-1.23 3.285-1.23.645 1.653.24 2.873.12 3.176.765.84 1.23 1.91 1.23 3.22 0 4.61-2.805 5.625-5.475 5.92.42.36.81 1.096.81 2.22 0 1.606-.015 2.896-.015 3.286 0 .315.21.69.825.57C20.565 22.092 24 17.592 24 12.297c0-6.627-5.373-12-12-12",
  ),
  // All colors, as GitLab requires (design.gitlab.com/brand-logo/core-logo). The paths are from Devicon 2.17.0 (MIT).
  gitlab: html`<svg viewBox="0 0 128 128" aria-hidden="true"><path fill="#e24329" d="m124.755 51.382-.177-.452L107.47 6.282a4.459 4.459 0 0 0-1.761-2.121 4.581 4.581 0 0 0-5.236.281 4.578 4.578 0 0 0-1.518 2.304L87.404 42.088H40.629L29.077 6.746a4.492 4.492 0 0 0-1.518-2.31 4.581 4.581 0 0 0-5.236-.281 4.502 4.502 0 0 0-1.761 2.121L3.422 50.904l-.17.452c-5.059 13.219-.763 28.192 10.537 36.716l.059.046.157.111 26.061 19.516 12.893 9.758 7.854 5.93a5.283 5.283 0 0 0 6.388 0l7.854-5.93 12.893-9.758 26.218-19.634.065-.052c11.273-8.526 15.562-23.472 10.524-36.677z"/><path fill="#fc6d26" d="m124.755 51.382-.177-.452a57.79 57.79 0 0 0-23.005 10.341L64 89.682c12.795 9.68 23.934 18.09 23.934 18.09l26.218-19.634.065-.052c11.291-8.527 15.586-23.488 10.538-36.704z"/><path fill="#fca326" d="m40.066 107.771 12.893 9.758 7.854 5.93a5.283 5.283 0 0 0 6.388 0l7.854-5.93 12.893-9.758s-11.152-8.436-23.947-18.09a18379.202 18379.202 0 0 0-23.935 18.09z"/><path fill="#fc6d26" d="M26.42 61.271A57.73 57.73 0 0 0 3.422 50.904l-.17.452c-5.059 13.219-.763 28.192 10.537 36.716l.059.046.157.111 26.061 19.516L64 89.655 26.42 61.271z"/></svg>`,
  // Google's branding guidelines: the standard colors, 20 pixels, on the background of the button.
  google: html`<svg viewBox="0 0 48 48" aria-hidden="true"><path fill="#ea4335" d="M24 9.5c3.54 0 6.71 1.22 9.21 3.6l6.85-6.85C35.9 2.38 30.47 0 24 0 14.62 0 6.51 5.38 2.56 13.22l7.98 6.19C12.43 13.72 17.74 9.5 24 9.5z"/><path fill="#4285f4" d="M46.98 24.55c0-1.57-.15-3.09-.38-4.55H24v9.02h12.94c-.58 2.96-2.26 5.48-4.78 7.18l7.73 6c4.51-4.18 7.09-10.36 7.09-17.65z"/><path fill="#fbbc05" d="M10.53 28.59c-.48-1.45-.76-2.99-.76-4.59s.27-3.14.76-4.59l-7.98-6.19C.92 16.46 0 20.12 0 24c0 3.88.92 7.54 2.56 10.78l7.97-6.19z"/><path fill="#34a853" d="M24 48c6.48 0 11.93-2.13 15.89-5.81l-7.73-6c-2.15 1.45-4.92 2.3-8.16 2.3-6.26 0-11.57-4.22-13.47-9.91l-7.98 6.19C6.51 42.62 14.62 48 24 48z"/></svg>`,
  // With the empty edge of the logo that Microsoft publishes for buttons.
  microsoft: html`<svg viewBox="0 0 21 21" aria-hidden="true"><path fill="#f25022" d="M1 1h9v9H1z"/><path fill="#7fba00" d="M11 1h9v9h-9z"/><path fill="#00a4ef" d="M1 11h9v9H1z"/><path fill="#ffb900" d="M11 11h9v9h-9z"/></svg>`,
  other: drawn(html`<path d="M14 4h4a2 2 0 0 1 2 2v12a2 2 0 0 1-2 2h-4M9.5 8l4 4-4 4m4-4H3.5"/>`),
};

/** Fewer buttons are found at a glance. */
const SEARCHED_FROM = 8;
/** The parameter in the URL of the sign-in page. */
const SEARCH_NAME = "provider";
/** Of a name. */
const LONGEST_SEARCH = 200;

/** The part of a name in the URL of the page; empty if there is none. */
function readSearch({ query }: PageRequest): string {
  return (query.get(SEARCH_NAME) ?? "").trim().slice(0, LONGEST_SEARCH);
}

/** The form that searches for a provider by its name, if there are many. It works without a script. */
export function idpSearchForm({ signIn, language }: SignInVisit, { idps, search }: IdpChoice): Html | undefined {
  if (idps.length < SEARCHED_FROM) return undefined;
  const { label, submit, none } = language.texts.signIn.idp.search;
  return html`<form class="search" role="search" action="${SIGN_IN_PREFIX}${signIn.id}">
<input type="hidden" name="app" value="${signIn.app.id}">
${field({ name: SEARCH_NAME, label, attributes: html`type="search" value="${search?.text}" autocomplete="off"` })}
<button class="secondary">${submit}</button>
</form>
${search?.found.length === 0 && html`<p role="status">${none}</p>`}`;
}
