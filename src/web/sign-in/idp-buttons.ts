import { type Html, html } from "../../html.ts";
import type { Texts } from "../../texts/shapes/texts.ts";
import { type IconName, iconOf } from "./icon-of.ts";
import { ICONS_OF_PROVIDERS } from "./icons.ts";
import type { SignInVisit } from "./sign-in-parts.ts";
import { stepPath } from "./steps.ts";

/** The button of a brand, as far as the brand prescribes it. */
interface Brand {
  /** The classes in style.css. */
  readonly look: string;
  /** The title. Without one, the button has the name of the provider. */
  readonly title?: (texts: Texts["signIn"]["idp"]) => string;
}

const BRANDS: Readonly<Record<IconName, Brand>> = {
  // developer.apple.com/design/human-interface-guidelines/sign-in-with-apple
  apple: { look: "apple", title: ({ button }) => button("Apple") },
  // brand.github.com/foundations/logo
  github: { look: "secondary github" },
  // GitLab prescribes the colors of its logo only.
  gitlab: { look: "secondary" },
  // developers.google.com/identity/branding-guidelines
  google: { look: "google", title: ({ google }) => google },
  // learn.microsoft.com/entra/identity-platform/howto-add-branding-in-apps
  microsoft: { look: "microsoft", title: ({ button }) => button("Microsoft") },
  other: { look: "secondary" },
};

/**
 * The buttons that start a sign-in with a provider. They submit the sign-in form to a different URL, so that "Keep me
 * signed in" applies to them too. Names tell buttons apart that have the same title.
 *
 * @param formId The id of the sign-in form.
 */
export function idpButtons({ signIn, language, idps, idpSearch }: SignInVisit, formId: string): Html {
  const texts = language.texts.signIn.idp;
  const buttons = (idpSearch?.found ?? idps).map(({ id, name, ...idp }) => {
    const icon = iconOf(idp);
    const { look, title } = BRANDS[icon];
    return { id, name, look, icon: ICONS_OF_PROVIDERS[icon], title: title?.(texts) };
  });
  return html`${buttons.map(({ id, name, look, icon, title }) => {
    const isSeveral = title !== undefined && buttons.filter((other) => other.title === title).length > 1;
    return html`<button class="${look}" form="${formId}" name="idp" value="${id}" formaction="${stepPath(signIn, "idp")}" formnovalidate>${icon}<span>${title ?? texts.button(name)}${isSeveral && html` <span class="spoken">(${name})</span>`}</span></button>\n${isSeveral && html`<p class="small">${name}</p>\n`}`;
  })}`;
}
