import type { NamesIn, TextWith } from "../placeholders.ts";
import { ACCOUNT } from "./account.ts";
import { ACCOUNT_FORMS } from "./account-forms.ts";
import { FRAME } from "./frame.ts";
import { LINKS } from "./links.ts";
import { MESSAGES } from "./messages.ts";
import { OIDC } from "./oidc.ts";
import { PROVIDER_TEST } from "./provider-test.ts";
import { SIGN_IN } from "./sign-in.ts";

const ENGLISH = {
  account: ACCOUNT,
  accountForms: ACCOUNT_FORMS,
  frame: FRAME,
  links: LINKS,
  messages: MESSAGES,
  oidc: OIDC,
  providerTest: PROVIDER_TEST,
  signIn: SIGN_IN,
};

/** All texts of a language that users read: those of English, with the same placeholders. */
export type Texts = Like<typeof ENGLISH>;

type Like<Part> = {
  readonly [Name in keyof Part]: Part[Name] extends string ? TextLike<Part[Name]> : Like<Part[Name]>;
};

type TextLike<Text extends string> = [NamesIn<Text>] extends [never] ? string : TextWith<NamesIn<Text>>;

export const EN: Texts = ENGLISH;
