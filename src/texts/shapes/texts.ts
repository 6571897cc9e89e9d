import type { AccountFormTexts } from "./account-form-texts.ts";
import type { AccountTexts } from "./account-texts.ts";
import type { FrameTexts } from "./frame-texts.ts";
import type { LinkPagesTexts } from "./link-pages-texts.ts";
import type { MessageTexts } from "./message-texts.ts";
import type { OidcTexts } from "./oidc-texts.ts";
import type { SignInTexts } from "./sign-in-texts.ts";

/** All texts of one language that users read. */
export interface Texts {
  readonly account: AccountTexts;
  readonly accountForms: AccountFormTexts;
  readonly frame: FrameTexts;
  readonly links: LinkPagesTexts;
  readonly messages: MessageTexts;
  readonly oidc: OidcTexts;
  readonly signIn: SignInTexts;
}
