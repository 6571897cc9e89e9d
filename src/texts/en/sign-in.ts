import type { SignInTexts } from "../shapes/sign-in-texts.ts";

export const SIGN_IN: SignInTexts = {
  titleFor: (app) => `Sign in to ${app}`,
  userName: "User name",
  identifiers: {
    withEmail: {
      label: "Email or user name",
      failed: "Email, user name or password is incorrect.",
      shared: "Shared address? Enter your user name.",
      resetText:
        "Enter your email address or user name. We will send a link to choose a new password to the email address of your account.",
      sentText:
        "If there is an account with this user name or confirmed email address, a link is on its way. It may take a few minutes; please also check your spam folder. If several accounts share the address, enter the user name instead.",
    },
    withPhone: {
      label: "Phone or user name",
      failed: "Phone, user name or password is incorrect.",
      shared: "Shared number? Enter your user name.",
      resetText:
        "Enter your phone number or user name. We will send a link to choose a new password to the email address of your account.",
      sentText:
        "If there is an account with this user name or confirmed phone number, and with a confirmed email address, a link is on its way to that address. It may take a few minutes; please also check your spam folder. If several accounts share the number, enter the user name instead.",
    },
    nameOnly: {
      label: "User name",
      failed: "The user name or the password is incorrect.",
      resetText:
        "Enter your user name. We will send a link to choose a new password to the email address of your account.",
      sentText:
        "If there is an account with this user name and a confirmed email address, a link is on its way. It may take a few minutes; please also check your spam folder.",
    },
  },
  password: "Password",
  remember: "Keep me signed in",
  submit: "Sign in",
  cancel: "Cancel",
  forgotten: "Forgotten?",
  errors: {
    tooOften: (when) => `Too many attempts. Try again ${when}.`,
    unavailable: "Signing in is not possible at the moment. Please try again in a few minutes.",
    stale: "This page was open for too long. Please sign in again.",
    otherUser: (userName) => `The application requires a different account. Please sign in as ${userName}.`,
  },
  ended: {
    title: "This sign-in has ended",
    text: "It was already completed, it took too long, or your browser is blocking cookies from this site.",
    startAgain: (app) => `Start again at ${app}`,
    noApp: "Please go back to the application and start again.",
  },
  newPassword: {
    title: "Choose a new password",
    text: "You must change your password before you can continue.",
    submit: "Set password and continue",
  },
  address: {
    title: "Confirm your email address",
    sent: (email) => `We have sent a link to ${email}. Please also check your spam folder.`,
    next: "Open the link, then return to this page and continue.",
    notYet: "The address has not been confirmed yet.",
    submit: "Continue",
    sendAgain: "Send the link again",
    cannotSend: (email) => `Your address ${email} has not been confirmed. Please ask your administrator for a link.`,
  },
  reset: {
    title: "Forgot your password?",
    submit: "Send the link",
    back: "Back to sign-in",
    sent: { title: "Check your email" },
  },
  discovery: { next: "Continue", other: "Use a different account" },
  registration: {
    open: "Create an account",
    title: "Create an account",
    text: "Enter your email address. We will send a link to confirm it; then you choose how to sign in.",
    email: "Email address",
    invalidEmail: "Please enter an email address, such as name@example.com.",
    submit: "Continue",
    sent: {
      title: "Check your email",
      text: (email) =>
        `We have sent an email to ${email}. Open its link in this browser to continue. It may take a few minutes; please also check your spam folder.`,
    },
    finish: {
      title: "Finish creating your account",
      text: (email) => `Your address ${email} is confirmed. Enter your name, and choose how to sign in.`,
      firstName: "First name",
      lastName: "Last name",
      userName: "User name",
      password: "Create the account",
      passkey: "Use a passkey instead",
      needsScript: "To create the account with a passkey, turn on JavaScript.",
      invalid: "This value is missing or invalid.",
      foreignAddress: "A user name with an @ must be your own, confirmed email address.",
      taken: "This user name is taken. Please choose another one.",
      refused: "This passkey was not accepted. Please try again.",
    },
    ready: {
      title: "Your account is ready",
      text: (email) => `You can now sign in as ${email}.`,
      next: (app) => `Continue to ${app}`,
    },
    taken: {
      title: "You already have an account",
      text: (email) => `There is already an account with the address ${email}. Please sign in with it.`,
    },
    over: {
      title: "This link is no longer valid",
      text: "It has expired, was copied incompletely, or accounts can no longer be created here. Please start again.",
      again: "Start again",
    },
  },
  oneTimeCode: {
    title: "Enter your one-time code",
    text: "Open your authenticator app, and enter the code that it shows for this account.",
    code: "One-time code",
    submit: "Continue",
    recovery: {
      open: "Use a recovery code",
      code: "Recovery code",
      hint: "One of the codes that you saved when you set up one-time codes. Each works once.",
      wrong: "This code is incorrect or has already been used.",
    },
    wrong: "This code is incorrect or has already been used. Please wait for the next one.",
  },
  passkey: {
    submit: "Sign in with a passkey",
    outcomes: {
      waiting: "Follow the instructions in your browser.",
      canceled: "The sign-in was canceled, or this device has no passkey for this site.",
      otherHost: "Passkeys do not work at this address.",
      failed: "Your device could not use a passkey. Please try again, or sign in another way.",
    },
    refused: "This passkey was not accepted. Please try again, or sign in another way.",
  },
  secondFactor: {
    title: "Protect your account",
    text: "Your organization requires a second step besides your password. Choose what you want to use; it takes a minute.",
    until: (day) =>
      `Your organization will require a second step besides your password from ${day}. Set it up now, or later.`,
    app: "Use an authenticator app",
    passkey: "Add a passkey",
    later: "Not now",
    confirm: {
      title: "Confirm with your passkey",
      text: "Your organization requires a second step. Use the passkey of your account.",
      needsScript: "To use a passkey, turn on JavaScript.",
    },
  },
  passkeyOffer: {
    title: "Sign in faster next time?",
    text: "With a passkey, you sign in with your fingerprint, your face or your device PIN instead of a password. You can also add one later on your account page.",
    add: "Add a passkey",
    later: "Not now",
    without: "Continue without a passkey",
  },
  idp: {
    or: "or",
    button: (name) => `Sign in with ${name}`,
    google: "Sign in with Google",
    search: { label: "Find another service", submit: "Search", none: "No service with this name was found." },
    errors: {
      denied: (name) => `The sign-in with ${name} was canceled or declined.`,
      over: "The sign-in with the other service took too long, or was started again. Please try again.",
      gone: "This service can no longer be used to sign in.",
      blocked: "You cannot sign in with this account.",
      notFresh: (name) => `${name} has not confirmed that you signed in there just now. Please sign in another way.`,
      notEnough:
        "Because of your roles, the sign-in with your organization’s service is not enough for this step. Please sign in with your password or a passkey.",
    },
    continue: {
      text: (name) => `Your browser is taking you to ${name}. If nothing happens, choose “Continue”.`,
      submit: "Continue",
    },
    failed: {
      title: (name) => `The sign-in with ${name} failed`,
      unreachable: (name) =>
        `${name} cannot be reached at the moment. Please try again later, or try another way to sign in.`,
      refused: (name) =>
        `The connection to ${name} is not set up correctly. Please ask your administrator, or try another way to sign in.`,
      invalid: (name) =>
        `The response from ${name} could not be verified. Please try again, or try another way to sign in.`,
      tooLarge: (name) =>
        `The response from ${name} is too large. Please ask your administrator, or try another way to sign in.`,
      back: "Back to the sign-in",
    },
    unknown: {
      title: "Account not linked yet",
      text: (name, org) => `Your account at ${name} is not linked to an account at ${org} yet.`,
      link: "I have an account",
      linkHint: "If you have an account, sign in to it once. After that, you can sign in either way.",
      register: "Create a new account",
      closed: "This account cannot be used to sign in here. Ask your administrator to link it.",
    },
    unsolicited: {
      title: (name) => `Sign in with ${name}?`,
      text: (name) =>
        `${name} has sent you here to sign in. Continue only if you wanted to, and if this is your account. Otherwise, close this page.`,
      id: "Account id",
      replaces: "Someone else is signed in in this browser. If you continue, they are signed out.",
      submit: "Continue",
    },
    linked: {
      title: "Your accounts are linked now",
      text: (name, email) =>
        `${name} has confirmed your address ${email}, so your account there is linked to yours here. You can now sign in with ${name}. If you do not expect this, remove the link on your account page.`,
      submit: "Continue",
    },
    register: {
      title: "Create your account",
      text: (name) => `Please check the information from ${name}.`,
      firstName: "First name",
      lastName: "Last name",
      email: "Email address",
      submit: "Create the account",
      foreignAddress: "A user name with an @ must be your own, confirmed email address.",
      taken: "This user name is taken. Please choose another one.",
      invalid: "This value is missing or invalid.",
    },
    linkNotice: (name) => `Sign in to the account that you want to link to your account at ${name}.`,
    confirm: {
      title: (name) => `Link your account at ${name}?`,
      text: (name) => `From now on, your account at ${name} can be used to sign in here.`,
      external: "Other account",
      submit: "Link the accounts",
      skip: "Continue without linking",
      failed: "The accounts could not be linked. Please try again, or continue without linking.",
    },
  },
};
