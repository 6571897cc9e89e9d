import type { AccountFormTexts } from "./account-form-texts.ts";
import type { AccountTexts } from "./account-texts.ts";
import type { FrameTexts } from "./frame-texts.ts";
import type { LinkPagesTexts } from "./link-pages-texts.ts";
import type { MessageTexts } from "./message-texts.ts";
import type { OidcTexts } from "./oidc-texts.ts";
import type { SignInTexts } from "./sign-in-texts.ts";

/** The texts of pages. */
export interface PageTexts {
  readonly account: AccountTexts;
  readonly accountForms: AccountFormTexts;
  readonly frame: FrameTexts;
  readonly links: LinkPagesTexts;
  readonly oidc: OidcTexts;
  readonly signIn: SignInTexts;
}

/** All texts of one language that users read. */
export interface Texts extends PageTexts {
  readonly messages: MessageTexts;
}
