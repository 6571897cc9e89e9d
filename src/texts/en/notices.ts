import type { NoticeTexts } from "../shapes/notice-texts.ts";

export const NOTICES: NoticeTexts = {
  kinds: {
    "password-changed": {
      subject: "Your password was changed",
      occasion: (host) => `The password of your account at ${host} was changed.`,
    },
    "email-changed": {
      subject: "Your email address was changed",
      occasion: (host) => `Your account at ${host} now has another email address.`,
    },
    "phone-changed": {
      subject: "Your phone number was changed",
      occasion: (host) => `Your account at ${host} now has a new phone number.`,
    },
    "phone-removed": {
      subject: "Your phone number was removed",
      occasion: (host) => `The phone number was removed from your account at ${host}.`,
    },
    "one-time-codes-added": {
      subject: "One-time codes were set up",
      occasion: (host) => `One-time codes from an authenticator app were set up for your account at ${host}.`,
    },
    "one-time-codes-removed": {
      subject: "One-time codes were turned off",
      occasion: (host) => `Your account at ${host} no longer requires one-time codes from an authenticator app.`,
    },
    "recovery-codes-replaced": {
      subject: "Your recovery codes were replaced",
      occasion: (host) => `New recovery codes were created for your account at ${host}. The old ones no longer work.`,
    },
    "recovery-code-used": {
      subject: "A recovery code was used",
      occasion: (host) => `A recovery code of your account at ${host} was used. It does not work again.`,
    },
    "passkey-added": {
      subject: "A passkey was added",
      occasion: (host) => `A passkey was added to your account at ${host}.`,
    },
    "passkey-removed": {
      subject: "A passkey was removed",
      occasion: (host) => `A passkey was removed from your account at ${host}.`,
    },
    "provider-linked": {
      subject: "A new way to sign in was added",
      occasion: (host) => `Your account at ${host} was linked to an account at another provider.`,
    },
    "provider-unlinked": {
      subject: "A way to sign in was removed",
      occasion: (host) => `The link between your account at ${host} and an account at another provider was removed.`,
    },
    "new-device": {
      subject: "New sign-in to your account",
      occasion: (host) => `Your account at ${host} was used to sign in on a device that has not been used before.`,
    },
  },
  byOther: "An administrator or an application made this change.",
  time: (time) => `Time: ${time}`,
  browser: (names) => `Browser: ${names}`,
  advice:
    "If this was you, you do not need to do anything. If not, sign in immediately, change your password and check your account. If you cannot sign in, choose “Forgotten?” on the sign-in page.",
  adviceWithoutLink:
    "If this was you, you do not need to do anything. If not, contact your administrator immediately: the new address can be used to set a new password.",
  button: "Check your account",
};
