/** The texts of the pages in `src/web/sign-in`. */
export const SIGN_IN = {
  titleFor: "Sign in to {{app}}",
  userName: "User name",
  // About the field that identifies the user. None of these texts depends on which users exist. `failed` is for every
  // failure whose reason must not be revealed, `shared` for an address or a number of several users, which finds none of
  // them. Both are short enough for one line, so that they do not move the page. `resetText` introduces "Forgot your
  // password?", and `sentText` follows once a link was requested.
  identifiers: {
    // The field accepts user names, email addresses and perhaps phone numbers.
    withEmail: {
      label: "Email or user name",
      failed: "Email, user name or password is incorrect.",
      shared: "Shared address? Enter your user name.",
      resetText:
        "Enter your email address or user name. We will send a link to choose a new password to the email address of your account.",
      sentText:
        "If there is an account with this user name or confirmed email address, a link is on its way. It may take a few minutes; please also check your spam folder. If several accounts share the address, enter the user name instead.",
    },
    // The field accepts user names and phone numbers.
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
    // `delay`: until the next attempt, such as "in 5 minutes".
    tooOften: "Too many attempts. Try again {{delay}}.",
    // The system that has to verify the password does not respond.
    unavailable: "Signing in is not possible at the moment. Please try again in a few minutes.",
    // The form has no valid token, or took too long.
    stale: "This page was open for too long. Please sign in again.",
    // The application requires a different user, with this user name.
    otherUser: "The application requires a different account. Please sign in as {{userName}}.",
  },
  ended: {
    title: "This sign-in has ended",
    text: "It was already completed, it took too long, or your browser is blocking cookies from this site.",
    startAgain: "Start again at {{app}}",
    // No application is known.
    noApp: "Please go back to the application and start again.",
  },
  newPassword: {
    title: "Choose a new password",
    text: "You must change your password before you can continue.",
    submit: "Set password and continue",
  },
  address: {
    title: "Confirm your email address",
    sent: "We have sent a link to {{email}}. Please also check your spam folder.",
    // Follows `sent`, or stands alone if no email can be sent.
    next: "Open the link, then return to this page and continue.",
    notYet: "The address has not been confirmed yet.",
    submit: "Continue",
    sendAgain: "Send the link again",
    cannotSend: "Your address {{email}} has not been confirmed. Please ask your administrator for a link.",
  },
  reset: {
    title: "Forgot your password?",
    submit: "Send the link",
    back: "Back to sign-in",
    sent: { title: "Check your email" },
  },
  // If the domain of the address chooses the organization. `other`: on its page, to enter another address.
  discovery: { next: "Continue", other: "Use a different account" },
  // None of these texts depends on which users exist before the address is verified.
  registration: {
    // On the first page.
    open: "Create an account",
    title: "Create an account",
    text: "Enter your email address. We will send a link to confirm it; then you choose how to sign in.",
    email: "Email address",
    invalidEmail: "Please enter an email address, such as name@example.com.",
    submit: "Continue",
    sent: {
      title: "Check your email",
      text: "We have sent an email to {{email}}. Open its link in this browser to continue. It may take a few minutes; please also check your spam folder.",
    },
    // After the address is verified.
    finish: {
      title: "Finish creating your account",
      text: "Your address {{email}} is confirmed. Enter your name, and choose how to sign in.",
      firstName: "First name",
      lastName: "Last name",
      // Shown if the address cannot be the user name.
      userName: "User name",
      password: "Create the account",
      passkey: "Use a passkey instead",
      // If a passkey is the only way to sign in.
      needsScript: "To create the account with a passkey, turn on JavaScript.",
      invalid: "This value is missing or invalid.",
      // The user name is another address, or a number.
      foreignAddress: "A user name with an @ or a phone number must be your own, confirmed address or number.",
      taken: "This user name is taken. Please choose another one.",
      // The passkey.
      refused: "This passkey was not accepted. Please try again.",
    },
    // In another browser than the one in which the registration was requested.
    ready: {
      title: "Your account is ready",
      text: "You can now sign in as {{email}}.",
      next: "Continue to {{app}}",
    },
    taken: {
      title: "You already have an account",
      text: "There is already an account with the address {{email}}. Please sign in with it.",
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
      // Opens the form.
      open: "Use a recovery code",
      code: "Recovery code",
      hint: "One of the codes that you saved when you set up one-time codes. Each works once.",
      // For every reason: wrong, already used, or not this user's code.
      wrong: "This code is incorrect or has already been used.",
    },
    // For every reason: wrong, already used, or not this user's code.
    wrong: "This code is incorrect or has already been used. Please wait for the next one.",
  },
  // The page that asks for a code from an email. `name`: of the provider.
  recentProof: {
    title: "Confirm that it is you",
    text: "{{name}} has not confirmed that you signed in there just now. To continue, have a code sent to your email address.",
    send: "Send a code",
    sendAgain: "Send another code",
    sent: "A code was sent to {{email}}. It is valid for 15 minutes.",
    code: "Code from the email",
    wrong: "This code is incorrect or no longer valid.",
    otherWay: "Sign in another way",
  },
  passkey: {
    submit: "Sign in with a passkey",
    // What the script of the page shows.
    outcomes: {
      waiting: "Follow the instructions in your browser.",
      canceled: "The sign-in was canceled, or this device has no passkey for this site.",
      otherHost: "Passkeys do not work at this address.",
      failed: "Your device could not use a passkey. Please try again, or sign in another way.",
    },
    // For every reason that must not be revealed.
    refused: "This passkey was not accepted. Please try again, or sign in another way.",
  },
  // For a user whose sign-in requires a second factor.
  secondFactor: {
    // Leads back to the choice.
    back: "Back",
    title: "Protect your account",
    text: "Your organization requires a second step besides your password. Choose what you want to use; it takes a minute.",
    // Replaces the text until the day from which it is required.
    until: "Your organization will require a second step besides your password from {{day}}. Set it up now, or later.",
    app: "Use an authenticator app",
    passkey: "Add a passkey",
    later: "Not now",
    // For a user with a passkey.
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
    // Also means not to be asked again.
    later: "Not now",
    // Continues without a passkey.
    without: "Continue without a passkey",
  },
  // Signing in with an identity provider. `name`: of the provider.
  idp: {
    // Between the ways to sign in.
    or: "or",
    button: "Sign in with {{name}}",
    // Prescribed by Google's branding guidelines.
    google: "Sign in with Google",
    // The search for a provider by its name, and what is shown if there is none.
    search: { label: "Find another service", submit: "Search", none: "No service with this name was found." },
    errors: {
      // The user declined at the provider.
      denied: "The sign-in with {{name}} was canceled or declined.",
      // The attempt is unknown, was used, or has expired.
      over: "The sign-in with the other service took too long, or was started again. Please try again.",
      // The provider was deactivated or removed.
      gone: "This service can no longer be used to sign in.",
      // The user may not sign in.
      blocked: "You cannot sign in with this account.",
      // The user had to authenticate at the provider again, and the provider has not confirmed it.
      notFresh:
        "{{name}} has not confirmed that you signed in there just now. Please sign in another way, or sign out there first.",
      // See `lacksOwnProof`.
      notEnough:
        "Because of your roles, the sign-in with your organization’s service is not enough for this step. Please sign in with your password or a passkey.",
    },
    // The page that takes the browser to a provider.
    continue: {
      text: "Your browser is taking you to {{name}}. If nothing happens, choose “Continue”.",
      submit: "Continue",
    },
    failed: {
      title: "The sign-in with {{name}} failed",
      unreachable: "{{name}} cannot be reached at the moment. Please try again later, or try another way to sign in.",
      // The client id or client secret is wrong.
      refused:
        "The connection to {{name}} is not set up correctly. Please ask your administrator, or try another way to sign in.",
      invalid: "The response from {{name}} could not be verified. Please try again, or try another way to sign in.",
      // The response is larger than any that is read.
      tooLarge:
        "The response from {{name}} is too large. Please ask your administrator, or try another way to sign in.",
      back: "Back to the sign-in",
    },
    // For an external user who is not linked.
    unknown: {
      title: "Account not linked yet",
      text: "Your account at {{name}} is not linked to an account at {{org}} yet.",
      link: "I have an account",
      linkHint: "If you have an account, sign in to it once. After that, you can sign in either way.",
      register: "Create a new account",
      // The provider allows neither linking nor registration.
      closed: "This account cannot be used to sign in here. Ask your administrator to link it.",
    },
    // The sign-in began at the provider, and the person has not decided yet.
    unsolicited: {
      title: "Sign in with {{name}}?",
      text: "{{name}} has sent you here to sign in. Continue only if you wanted to, and if this is your account. Otherwise, close this page.",
      // Of the account at the provider.
      id: "Account id",
      // Another user is signed in in the browser.
      replaces: "Someone else is signed in in this browser. If you continue, they are signed out.",
      submit: "Continue",
    },
    // The external user was linked to the user with the same address.
    linked: {
      title: "Your accounts are linked now",
      text: "{{name}} has confirmed your address {{email}}, so your account there is linked to yours here. You can now sign in with {{name}}. If you do not expect this, remove the link on your account page.",
      submit: "Continue",
    },
    register: {
      title: "Create your account",
      text: "Please check the information from {{name}}.",
      firstName: "First name",
      lastName: "Last name",
      email: "Email address",
      submit: "Create the account",
      foreignAddress: "A user name with an @ or a phone number must be your own, confirmed address or number.",
      taken: "This user name is taken. Please choose another one.",
      invalid: "This value is missing or invalid.",
    },
    // Above the form of the sign-in page.
    linkNotice: "Sign in to the account that you want to link to your account at {{name}}.",
    confirm: {
      title: "Link your account at {{name}}?",
      text: "From now on, your account at {{name}} can be used to sign in here.",
      external: "Other account",
      submit: "Link the accounts",
      skip: "Continue without linking",
      failed: "The accounts could not be linked. Please try again, or continue without linking.",
    },
  },
} as const;
