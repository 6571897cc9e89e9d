/** The texts of the pages below `/ui/account`, each of which changes one thing. */
export const ACCOUNT_FORMS = {
  name: {
    title: "Change your name",
    text: "Applications get your name when you sign in to them.",
    firstName: "First name",
    lastName: "Last name",
    displayName: "Display name",
    displayNameHint: "How others see you. If you leave this empty, it is your first and last name.",
    missing: "Please enter a name.",
    invalid: "This name is too long, or has characters that are not allowed.",
    submit: "Save",
  },
  userName: {
    title: "Change your user name",
    text: "From then on, you sign in with the new user name.",
    label: "New user name",
    missing: "Please enter a user name.",
    invalid: "This user name is too long, or has characters that are not allowed.",
    // An address or a number that is not the user's own, verified one.
    foreignAddress: "A user name with an @ or a phone number must be your own, confirmed address or number.",
    taken: "This user name is already taken.",
    submit: "Change the user name",
  },
  language: {
    title: "Change your language",
    text: "The language of these pages and of messages to you.",
    label: "Your language",
    submit: "Save",
  },
  email: {
    title: "Change your email address",
    text: "We will send a link to the new address. Your current address stays until you open the link.",
    label: "New email address",
    // The user name is the current address.
    userNameHint: "Your user name is your current address. When you confirm the new one, you can change both.",
    invalid: "Please enter a valid email address.",
    unchanged: "This is already your address.",
    noServer: "Emails cannot be sent at the moment. Please contact your administrator.",
    // `delay`: such as "in 5 minutes".
    tooOften: "Too many links were requested. You can request another one {{delay}}.",
    // For an address to which all users together have requested too many links.
    recipientTooOften: "Too many links were sent to this address. Please try again tomorrow.",
    submit: "Send the link",
  },
  phone: {
    title: "Change your phone number",
    text: "We will send an SMS to the new number to confirm it.",
    // Replaces `text` if no SMS can be sent.
    textWithoutSms: "No SMS can be sent from here, so the new number will be stored without being confirmed.",
    label: "New phone number",
    hint: "With the country code, for example +41\u00a079\u00a0123\u00a045\u00a067",
    invalid: "Please enter the number with its country code, for example +41 79 123 45 67.",
    resend: "Send another SMS",
    remove: "Remove the number",
    tooOften: "Too many SMS were requested. You can request another one {{delay}}.",
    recipientTooOften: "Too many SMS were sent to this number. Please try again tomorrow.",
    submit: "Save",
  },
  removePhone: { title: "Remove the phone number?", text: "You can no longer sign in with this number." },
  password: {
    title: "Change the password",
    text: "This signs you out everywhere else.",
    current: "Current password",
    wrong: "This is not your current password.",
    submit: "Change the password",
  },
  newPassword: {
    title: "Set a password",
    text: "You can then also sign in with your user name and this password. This signs you out everywhere else.",
    submit: "Set the password",
  },
  addPasskey: { without: "Cancel adding" },
  renamePasskey: {
    title: "Rename the passkey",
    text: "The name helps you to tell your passkeys apart.",
    label: "Name of the passkey",
    invalid: "Please enter a name with up to 200 characters.",
    submit: "Save",
  },
  removePasskey: {
    title: "Remove the passkey?",
    text: "You can no longer sign in with it. This signs you out everywhere else. The device keeps its copy until you delete it there.",
    submit: "Remove the passkey",
  },
  setUpCodes: {
    title: "Set up one-time codes",
    text: "Scan the QR code with your authenticator app, then enter the code that the app shows.",
    // The name of the QR code for screen readers.
    picture: "QR code for your authenticator app",
    byHand: "Enter the setup key manually",
    submit: "Set up",
  },
  recoveryCodes: {
    title: "Save your recovery codes",
    text: "You can use each of them once instead of a one-time code, for example if you lose your phone. Keep them in a safe place: they are shown only once.",
    done: "I have saved them",
    copy: "Copy",
    copied: "Copied.",
    download: "Download",
    print: "Print",
    // `host`: of the service.
    fileTitle: "Recovery codes of {{userName}} at {{host}}",
  },
  newRecoveryCodes: {
    title: "New recovery codes",
    text: "Save these codes first. Your previous codes work until you confirm that you have saved the new ones.",
    submit: "I have saved them: replace the previous codes",
  },
  removeCodes: {
    title: "Remove one-time codes",
    text: "Enter a one-time code or a recovery code. You will be signed out everywhere else.",
    textWithPassword:
      "Enter your password, a one-time code or a recovery code. You will be signed out everywhere else.",
    or: "or",
    code: "One-time code or recovery code",
    submit: "Remove one-time codes",
  },
  unlink: {
    title: "Remove the linked account?",
    text: "You can no longer sign in with it. This signs you out everywhere else.",
    submit: "Remove the link",
  },
  link: {
    // The external user is linked to another user. `name`: of the provider.
    taken: "This account at {{name}} is already linked to a user.",
    over: "Linking took too long or was started elsewhere. Please try again.",
  },
  withdraw: {
    title: "Remove the access of {{name}}?",
    text: "The application can no longer read your data with the access it has now. It gets access again when you sign in to it.",
    submit: "Remove access",
  },
  data: {
    title: "Download your data",
    text: "A JSON file with your profile, your ways to sign in, your sessions, the applications with access, and the record of what has happened to your account. It contains no passwords or keys.",
    submit: "Download",
  },
  remove: {
    title: "Delete your account?",
    text: "This deletes your account and all your data here, immediately and for good. You can no longer sign in to any application with it.",
    label: "Enter your user name to confirm",
    wrong: "This is not your user name.",
    hasRole: "You have a role in this service. An administrator has to remove it first.",
    submit: "Delete my account for good",
    done: { title: "Your account was deleted", text: "You can close this window." },
  },
} as const;
