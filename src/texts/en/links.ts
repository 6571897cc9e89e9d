/** The texts of the pages in `src/web/links`, which messages link to. */
export const LINKS = {
  init: {
    // The address is not verified, and no password is stored.
    setUp: {
      title: "Set up your account",
      text: "Choose a password. By doing so, you also confirm that this email address is yours.",
    },
    // The address is verified, and no password is stored.
    setPassword: { title: "Set your password", text: "Choose a password for your account." },
    // The address is not verified, and a password is stored.
    confirm: { title: "Confirm your email address", text: "Please confirm that this email address is yours." },
    name: "Name",
    email: "Email address",
    password: "New password",
    passwordOptional: "You can leave this empty, because you already have another way to sign in.",
    repeat: "Repeat the password",
    finish: "Finish",
    confirmButton: "Confirm",
    done: {
      title: "All done",
      confirmedAndPasswordSet: "Your email address is confirmed and your password is set.",
      confirmed: "Your email address is confirmed. You can close this window.",
      // The address was verified before.
      passwordSet: "Your password is set.",
      // The address was verified before, and the user chose not to set a password.
      nothingSet: "No password was set. You can close this window.",
    },
    // Another user is signed in in this browser.
    otherUser: {
      text: "Another account is signed in in this browser. To use yours, sign out of that one first.",
      open: "Open the other account",
    },
    used: { title: "This link has already been used", text: "Each link works only once." },
    expired: { title: "This link has expired", text: "For your security, a link works only for a limited time." },
    replaced: {
      title: "There is a newer link",
      text: "Please open the link in the most recent email that you received.",
    },
    // The address is the user name of another user, so it cannot be confirmed.
    taken: {
      title: "This address cannot be confirmed",
      text: "It is the user name of another account. Please ask your administrator.",
    },
    // The link was sent to an address that the user no longer has.
    outdated: {
      title: "This link is no longer valid",
      text: "It was sent to an email address that the account no longer uses.",
    },
    // The user has nothing left to do.
    finished: {
      title: "Nothing left to do",
      text: "This link has already been used or is no longer needed. You can close this window.",
    },
    // Precedes the button `send`. `recipient`: the address, or `phone.endingIn`.
    sendOffer: "If you need a new link, we can send one to {{recipient}}.",
    send: "Send a new link",
    // No message can be sent from here.
    contactAdministrator: "If you need a new link, please ask your administrator.",
    sent: {
      title: "A new link is on its way",
      text: "It was sent to {{recipient}}. Earlier links no longer work. You can close this window.",
      // `delay`: until the next possible message, such as "in 1 minute".
      again: "The next one can be requested {{delay}}.",
    },
    tooOften: {
      title: "Please wait a moment",
      text: "Links have already been sent to you; please also check your spam folder. The next one can be sent {{delay}}.",
    },
  },
  // The link to the address that replaces the current one.
  newEmail: {
    text: "It then replaces the current address of your account.",
    // The label of a checkbox. The user name is the address that is replaced.
    changesName: "Also use it as my user name",
    title: "Address changed",
    changed: "The address of your account is now {{address}}.",
    nameChanged: "It is also your user name now.",
    // Another user has the address as the user name, or signs in with it.
    nameTaken: "Your user name stays the same, because somebody else uses this address.",
    used: { title: "Link already used", text: "The address was already changed with this link." },
    over: { title: "Link no longer valid", text: "Please request a new link on your account page." },
    toAccount: "Open your account",
  },
  phone: {
    confirm: { title: "Confirm your phone number", text: "Enter the six-digit code that we sent you by SMS." },
    name: "Name",
    number: "Phone number",
    // The number, of which only the last digits are shown, within a sentence. In Spanish, it includes the preposition.
    endingIn: "the number ending in {{digits}}",
    digits: "Code",
    digitsRule: "Six digits, for example 123 456",
    errors: {
      malformed: "The code has six digits. Please enter all of them.",
      // `left`: the number of attempts, at least one.
      wrong: {
        one: "This code is incorrect. You have one attempt left.",
        other: "This code is incorrect. You have {{left}} attempts left.",
      },
    },
    confirmButton: "Confirm",
    // The code accepts no more attempts.
    ended: {
      title: "Too many incorrect attempts",
      text: "For your security, this code no longer works, even if you enter it correctly.",
    },
    // The user has no attempts left for now. `delay`: until the next attempt, such as "in 5 hours".
    tooMany: {
      title: "Too many incorrect codes",
      text: "For your security, no more codes are accepted for now. You can try again with a new code {{delay}}.",
    },
    done: { title: "All done", text: "Your phone number is confirmed. You can close this window." },
    used: { title: "This code has already been used", text: "Each code works only once." },
    expired: { title: "This code has expired", text: "For your security, a code works only for a limited time." },
    replaced: {
      title: "There is a newer code",
      text: "Please open the link in the most recent SMS that you received.",
    },
    taken: {
      title: "This number cannot be confirmed",
      text: "It is the user name of another account. Please ask your administrator.",
    },
    outdated: {
      title: "This link is no longer valid",
      text: "It was sent to a phone number that the account no longer uses.",
    },
    finished: { title: "Nothing left to do", text: "Your phone number is confirmed. You can close this window." },
    sendOffer: "If you need a new code, we can send one to {{recipient}}.",
    send: "Send a new code",
    contactAdministrator: "If you need a new code, please ask your administrator.",
    sent: {
      title: "A new code is on its way",
      text: "It was sent to {{recipient}}. Open the link in the new SMS; earlier codes no longer work.",
      again: "The next one can be requested {{delay}}.",
    },
    tooOften: {
      title: "Please wait a moment",
      text: "Codes have already been sent to you, and an SMS can take a while to arrive. The next one can be sent {{delay}}.",
    },
  },
  passkey: {
    title: "Set up a passkey",
    intro: "With a passkey, you sign in without a password: with your fingerprint, your face, a PIN or a security key.",
    account: "Name",
    userName: "User name",
    create: "Set up passkey",
    hint: "If something goes wrong, you can try again. Once the passkey is set up, the link no longer works.",
    needsScript:
      "This page requires JavaScript, because browsers can create passkeys only from a script. Please turn on JavaScript, or open the link in another browser.",
    // Texts about events in the browser. The script reads them from the page.
    outcomes: {
      waiting: "Please follow the instructions in your browser.",
      canceled: "No passkey was set up: the operation was canceled or took too long. You can try again.",
      // The device already has a passkey of this user.
      exists:
        "This device already has a passkey for your account. You can set up a new one on another device or a security key.",
      // The browser does not support WebAuthn, or not on this page.
      browserUnsupported:
        "This browser cannot create passkeys here. Please open the link in a current version of Chrome, Edge, Firefox or Safari.",
      // The device cannot verify its user, or supports none of the algorithms.
      deviceUnsupported:
        "This device cannot create the passkey. Please set up a screen lock or a PIN, or use another device or a security key.",
      // The host of the page does not belong to the relying party.
      wrongHost: "No passkey can be created at this address. Please open the link exactly as you received it.",
      unreachable: "The service could not be reached. Please check your connection and try again.",
      failed: "That did not work. Please try again.",
    },
    done: { title: "Your passkey is set up", text: "From now on, you can sign in with it. You can close this page." },
    used: {
      title: "This link has already been used",
      text: "A passkey was set up with this link. If this was not you, please notify your administrator immediately.",
    },
    expired: {
      title: "This link has expired",
      text: "It was valid for one hour. Please ask your administrator for a new link.",
    },
    replaced: { title: "There is a newer link", text: "Please open the most recent link that you received." },
    "not-begun": "This took too long, or the page is open more than once. Please try again.",
    taken: "This passkey is already registered. Please use another device or security key.",
    refused: "The passkey could not be verified and was not saved. Please try again.",
  },
  // The page that sets a new password. Its fields share the texts of the page that sets the first one.
  reset: {
    choose: {
      title: "Choose a new password",
      text: "It replaces the current password of your account.",
      button: "Set the new password",
    },
    done: { title: "All done", text: "Your new password is set." },
    used: {
      title: "This link has already been used",
      text: "Each link works only once. If you still need a new password, please request another link.",
    },
    expired: {
      title: "This link has expired",
      text: "For your security, a link expires after a limited time, and when the password is changed. If you still need a new password, please request another link.",
    },
    replaced: {
      title: "There is a newer link",
      text: "Please open the link in the most recent message that you received.",
    },
    outdated: {
      title: "This link is no longer valid",
      text: "It was sent to an address or a number that the account no longer uses.",
    },
  },
  // The page before a site that an organization has chosen, for browsers that have completed no step there.
  next: {
    title: "Continue to {{host}}?",
    text: "This link leads to another site, {{host}}. Continue only if you know it and expected to go there.",
    button: "Continue",
  },
  // The page that makes the first administrator of the instance.
  firstAdministrator: {
    // Without the link.
    missing: {
      title: "This service has no administrator yet",
      text: "The service prints a link when it starts. Open that link to create the first administrator.",
    },
    // Precedes the command `signet admin link`.
    newLink: "To print a new link, run this command where the service runs:",
    // For people who have a role in an organization.
    signIn: "I have an account: sign in",
    create: {
      title: "Create the first administrator",
      text: "You will have all permissions, and sign in with your email address and this password.",
      button: "Create the administrator",
    },
    // Another user has the address.
    taken: "There is already a user with this address. Please use another one.",
    // The link has expired, was used, or is incomplete; or there is an administrator.
    over: { title: "This link no longer works", text: "It has expired, has been used, or was copied incompletely." },
  },
} as const;
