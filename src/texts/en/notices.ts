/** The texts of the emails that report a change of how a user signs in, or a sign-in from a new device. */
export const NOTICES = {
  kinds: {
    "password-changed": {
      subject: "Your password was changed",
      occasion: "The password of your account at {{host}} was changed.",
    },
    // Goes to the previous address.
    "email-changed": {
      subject: "Your email address was changed",
      occasion: "Your account at {{host}} now has another email address.",
    },
    "phone-changed": {
      subject: "Your phone number was changed",
      occasion: "Your account at {{host}} now has a new phone number.",
    },
    "phone-removed": {
      subject: "Your phone number was removed",
      occasion: "The phone number was removed from your account at {{host}}.",
    },
    "one-time-codes-added": {
      subject: "One-time codes were set up",
      occasion: "One-time codes from an authenticator app were set up for your account at {{host}}.",
    },
    "one-time-codes-removed": {
      subject: "One-time codes were turned off",
      occasion: "Your account at {{host}} no longer requires one-time codes from an authenticator app.",
    },
    "recovery-codes-replaced": {
      subject: "Your recovery codes were replaced",
      occasion: "New recovery codes were created for your account at {{host}}. The old ones no longer work.",
    },
    "recovery-code-used": {
      subject: "A recovery code was used",
      occasion: "A recovery code of your account at {{host}} was used. It does not work again.",
    },
    "passkey-added": {
      subject: "A passkey was added",
      occasion: "A passkey was added to your account at {{host}}.",
    },
    "passkey-removed": {
      subject: "A passkey was removed",
      occasion: "A passkey was removed from your account at {{host}}.",
    },
    "provider-linked": {
      subject: "A new way to sign in was added",
      occasion: "Your account at {{host}} was linked to an account at another provider.",
    },
    "provider-unlinked": {
      subject: "A way to sign in was removed",
      occasion: "The link between your account at {{host}} and an account at another provider was removed.",
    },
    "new-device": {
      subject: "New sign-in to your account",
      occasion: "Your account at {{host}} was used to sign in on a device that has not been used before.",
    },
  },
  // Follows `occasion` if someone other than the user made the change.
  byOther: "An administrator or an application made this change.",
  // A date and time in UTC.
  time: "Time: {{time}}",
  // `names`: of a browser, an operating system, or both: `Firefox, Windows`.
  browser: "Browser: {{names}}",
  // What to do if the change is not the user's. Precedes the link to the account page.
  advice:
    "If this was you, you do not need to do anything. If not, sign in immediately, change your password and check your account. If you cannot sign in, choose “Forgotten?” on the sign-in page.",
  // The same for a changed address, which now gets the links to reset the password. No link follows.
  adviceWithoutLink:
    "If this was you, you do not need to do anything. If not, contact your administrator immediately: the new address can be used to set a new password.",
  // The button of the link to the account page.
  button: "Check your account",
} as const;

/** What the email reports. */
export type Notice = keyof typeof NOTICES.kinds;
