import { NOTICES } from "./notices.ts";

/**
 * The texts of the messages. SMS texts use only characters of the GSM 7-bit alphabet (3GPP TS 23.038): any other, such
 * as the Spanish ó, reduces the length of one SMS from 160 characters to 70.
 */
export const MESSAGES = {
  email: {
    greeting: "Hello,",
    greetingByName: "Hello {{name}},",
    // What happened, and where.
    occasion: "An account has been created for you at {{host}}.",
    // The same, with the name of the organization.
    occasionIn: "{{org}} has created an account for you at {{host}}.",
    // The same, if a person has created it: who invites to what.
    invitation: {
      subject: "{{inviter}} invites you to {{org}}",
      occasion: "{{inviter}} has created an account for you at {{host}}.",
    },
    // The same, for a new address.
    changed: "This address was entered for your account at {{host}}.",
    // The address is not verified.
    confirm: {
      subject: "Confirm your email address",
      request:
        "Please confirm that this is your email address. If you do not have a password yet, you can set one on the same page.",
      button: "Confirm email address",
    },
    // The address is verified, so only a password is missing.
    setPassword: {
      subject: "Set your password",
      request: "You can now set a password for it.",
      button: "Set password",
    },
    // A new address is not verified.
    confirmNew: {
      subject: "Confirm your new email address",
      request: "Please confirm that it is yours.",
      button: "Confirm email address",
    },
    userName: "Your user name: {{userName}}",
    // Precedes the link in the text form, which has no button.
    openLink: "To do so, open this link:",
    // Precedes the link in the HTML form, below the button.
    copyLink: "If the button does not work, open this address:",
    validity: "The link is valid for {{hours}} hours from the time this email was sent.",
    sentTo: "This email was sent to {{address}}.",
    unexpected: "Didn’t expect this email? Then you can simply ignore it.",
  },
  // The email with a link to set a new password. It also has the greeting and the text after the link from `email`.
  passwordReset: {
    subject: "Choose a new password",
    occasion: "A new password was requested for your account at {{host}}.",
    request: "You can now choose one. Until then, your current password stays valid.",
    button: "Choose a new password",
    validity: "The link is valid for one hour from the time this email was sent.",
  },
  // The emails to somebody who wants to register: the address is new, or has an account already.
  registration: {
    registration: {
      subject: "Finish creating your account",
      occasion: "Someone, probably you, wants to create an account with this address at {{host}}.",
      request: "Please confirm that the address is yours, and choose how to sign in.",
      button: "Create the account",
    },
    "registration-taken": {
      subject: "You already have an account",
      occasion: "Someone, probably you, wants to create an account with this address at {{host}}.",
      request:
        "There already is one. You can sign in with it; if you have forgotten your password, choose a new one on the same page.",
      button: "Sign in",
    },
  },
  // Follows the occasion of these emails.
  registrationFor: "The account is for signing in to {{app}}.",
  // The email with a code, which is between `occasion` and `advice`.
  signInCode: {
    subject: "Your code to sign in",
    occasion: "Someone, probably you, is signing in at {{host}} and has asked for this code:",
    advice: "Enter it on the page where you asked for it, within 15 minutes. Do not give it to anyone.",
  },
  notices: NOTICES,
  sms: "Your code: {{code}}, valid 1 hour",
  // Precedes the link to set a new password.
  resetSms: "Choose a new password within 1 hour:",
} as const;
