import type { Texts } from "../en/en.ts";
import { ACCOUNT } from "./account.ts";
import { ACCOUNT_FORMS } from "./account-forms.ts";
import { FRAME } from "./frame.ts";
import { LINKS } from "./links.ts";
import { MESSAGES } from "./messages.ts";
import { OIDC } from "./oidc.ts";
import { PROVIDER_TEST } from "./provider-test.ts";
import { SIGN_IN } from "./sign-in.ts";

export const ES: Texts = {
  account: ACCOUNT,
  accountForms: ACCOUNT_FORMS,
  frame: FRAME,
  links: LINKS,
  messages: MESSAGES,
  oidc: OIDC,
  providerTest: PROVIDER_TEST,
  signIn: SIGN_IN,
};
