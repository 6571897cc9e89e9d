import type { TitledText } from "./titled-text.ts";

/** The texts of the pages below `/ui/account`, each of which changes one thing. */
export interface AccountFormTexts {
  readonly name: FormTexts & {
    readonly firstName: string;
    readonly lastName: string;
    readonly displayName: string;
    readonly displayNameHint: string;
    readonly missing: string;
    readonly invalid: string;
  };
  readonly userName: FormTexts & {
    readonly label: string;
    readonly missing: string;
    readonly invalid: string;
    /** An address or a number that is not the user's own, verified one. */
    readonly foreignAddress: string;
    readonly taken: string;
  };
  readonly language: FormTexts & { readonly label: string };
  readonly email: FormTexts & {
    readonly label: string;
    /** The user name is the current address. */
    readonly userNameHint: string;
    readonly invalid: string;
    readonly unchanged: string;
    readonly noServer: string;
    /** Takes a delay, such as "in 5 minutes". */
    readonly tooOften: (delay: string) => string;
    /** For an address to which all users together have requested too many links. */
    readonly recipientTooOften: string;
  };
  readonly phone: FormTexts & {
    /** Replaces `text` if no SMS can be sent. */
    readonly textWithoutSms: string;
    readonly label: string;
    readonly hint: string;
    readonly invalid: string;
    readonly resend: string;
    readonly remove: string;
    readonly tooOften: (delay: string) => string;
    readonly recipientTooOften: string;
  };
  readonly removePhone: TitledText;
  readonly password: FormTexts & { readonly current: string; readonly wrong: string };
  readonly newPassword: FormTexts;
  readonly addPasskey: { readonly without: string };
  readonly renamePasskey: FormTexts & { readonly label: string; readonly invalid: string };
  readonly removePasskey: FormTexts;
  readonly setUpCodes: FormTexts & {
    /** The name of the QR code for screen readers. */
    readonly picture: string;
    readonly byHand: string;
  };
  readonly recoveryCodes: TitledText & {
    readonly done: string;
    readonly copy: string;
    readonly copied: string;
    readonly download: string;
    readonly print: string;
    /** The file. Takes the user name and the host of the service. */
    readonly fileTitle: (userName: string, host: string) => string;
  };
  readonly newRecoveryCodes: FormTexts;
  readonly removeCodes: FormTexts & {
    readonly textWithPassword: string;
    readonly or: string;
    readonly code: string;
  };
  readonly unlink: FormTexts;
  readonly link: {
    /** The external user is linked to another user. Takes the name of the provider. */
    readonly taken: (name: string) => string;
    readonly over: string;
  };
  readonly withdraw: TitledForm;
  readonly data: FormTexts;
  readonly remove: FormTexts & {
    readonly label: string;
    readonly wrong: string;
    readonly hasRole: string;
    readonly done: TitledText;
  };
}

/** A page with one form. */
interface FormTexts extends TitledText {
  readonly submit: string;
}

/** A page about something with a name. */
interface TitledForm {
  readonly title: (name: string) => string;
  readonly text: string;
  readonly submit: string;
}
