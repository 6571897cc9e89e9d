import { type Accent, toAccents } from "../../branding/accent.ts";
import type { Label } from "../../branding/label-settings.ts";
import { type Language, TEXTS } from "../../texts/languages.ts";
import { toGreetingName, toShownAddress } from "./shown-names.ts";

/** The id of the logo among the parts of an email (RFC 2392). */
export const LOGO_CONTENT_ID = "logo@signet.invalid";

/** What the branding adds to an email. */
export interface EmailBrand {
  /** Whether the email carries the logo, which the HTML shows instead of the name. */
  readonly hasLogo: boolean;
  /** Absent if a mail client could turn it into a link: see `toGreetingName`. */
  readonly name: string | undefined;
  /** The colors of the button on a light and a dark ground. */
  readonly button: { readonly light: Pick<Accent, "accent" | "text">; readonly dark: Pick<Accent, "accent" | "text"> };
  /** Where to get help, terms and privacy. */
  readonly links: readonly EmailLink[];
}

interface EmailLink {
  readonly label: string;
  /** The address or URL, as a text. */
  readonly shown: string;
  readonly url: string;
}

/** `--accent` and `--on-accent` of src/web/frame/base.css, the colors of the buttons of pages. */
const BUILT_IN_BUTTON = {
  light: { accent: "#3d4fd1", text: "#ffffff" },
  dark: { accent: "#5868e8", text: "#ffffff" },
} as const;

export function toEmailBrand(label: Label, language: Language, hasLogo: boolean): EmailBrand {
  const { name, supportAddress, termsUrl, privacyUrl } = label;
  const texts = TEXTS[language].frame.brand;
  const support = toShownAddress(supportAddress);
  return {
    hasLogo,
    name: name === "" ? undefined : toGreetingName(name),
    button: toAccents(label) ?? BUILT_IN_BUTTON,
    links: [
      ...(support === undefined ? [] : [{ label: texts.support, shown: support, url: `mailto:${support}` }]),
      ...(termsUrl === "" ? [] : [{ label: texts.terms, shown: termsUrl, url: termsUrl }]),
      ...(privacyUrl === "" ? [] : [{ label: texts.privacy, shown: privacyUrl, url: privacyUrl }]),
    ],
  };
}
