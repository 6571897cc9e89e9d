/** The texts that several pages share. */
export const FRAME = {
  // The title of the window for a page that reports an error.
  errorTitle: "Error: {{title}}",
  problems: {
    "invalid-link": {
      title: "This link is not valid",
      text: "Please make sure that you opened the complete link from your message. If you did, it may be too old: sign in, choose “Forgotten?” there, or ask your administrator for a new one.",
    },
    "blocked-user": {
      title: "This account is not available at the moment",
      text: "It has been deactivated or locked. Please ask your administrator.",
    },
    "not-found": {
      title: "Page not found",
      text: "Please check the address, or open the link from your message again.",
    },
    "wrong-method": {
      title: "This action is not supported",
      text: "The page cannot be used in this way. Please open it again, for example with the link from your message.",
    },
    foreign: {
      title: "This form came from another site",
      text: "For your security, nothing was changed. Please open the page again, for example with the link from your message.",
    },
    "wrong-type": {
      title: "This form could not be read",
      text: "Nothing was changed. Please open the page again, for example with the link from your message.",
    },
    unreadable: {
      title: "This form could not be read",
      text: "Nothing was changed. Please open the page again, for example with the link from your message.",
    },
    malformed: {
      title: "This request is not valid",
      text: "It contains something that is not accepted here. Please go back and try again.",
    },
    "too-slow": { title: "This took too long", text: "Nothing was changed. Please go back and try again." },
    "too-large": { title: "This form is too large", text: "Nothing was changed. Please go back and enter less text." },
    "too-many": {
      title: "Too many attempts",
      text: "There were too many attempts from your network. To protect all accounts, no more are accepted for now.",
    },
    failed: {
      title: "Something went wrong",
      text: "The problem is on our side. Please try again. If it happens again, give your administrator this number:",
    },
    unavailable: { title: "Please try again in a moment", text: "The service is not available right now." },
    // `delay`: such as "in 5 minutes".
    tryAgain: "Please try again {{delay}}.",
    details: "Details:",
    requestId: "Request",
  },
  password: {
    // The buttons that show and hide what is entered. The label, for screen readers, starts with the text.
    show: { text: "Show", label: "Show password" },
    hide: { text: "Hide", label: "Hide password" },
    rule: "At least {{characters}} characters. A few words are easy to remember.",
    errors: {
      missing: "Please choose a password.",
      "too-short": "The password is too short: it must have at least 8 characters.",
      "too-long":
        "The password is too long: it can have at most {{bytes}} bytes. Accents and emoji count more than once.",
      "not-text": "The password contains a character that cannot be used.",
      common: "Many people use this password, so it is easy to guess. Please choose another one.",
      personal: "The password contains little more than a name, so it is easy to guess. Please choose another one.",
      different: "The two passwords do not match. Please enter both again.",
      unchanged: "This is your current password. Please choose another one.",
    },
  },
  // The links from a completed page to the sign-in, and the label of the user name there.
  signInLink: {
    signIn: "Sign in",
    userName: "User name",
  },
  // The links at the end of a page in the branding of its operator.
  brand: { support: "Help", terms: "Terms of service", privacy: "Privacy policy", watermark: "Secured by Signet" },
} as const;

/** The problems that any page can have. */
export type PageProblem = Exclude<keyof typeof FRAME.problems, "tryAgain" | "details" | "requestId">;
