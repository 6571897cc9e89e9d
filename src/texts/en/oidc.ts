/** The texts of the pages in `src/oidc/pages`. */
export const OIDC = {
  logout: {
    ask: {
      title: "Do you want to sign out?",
      text: "You will be signed out of all applications in this browser.",
      textFor: "{{app}} is asking you to sign out. You will be signed out of all applications in this browser.",
    },
    signOut: "Sign out",
    stay: "Stay signed in",
    done: { title: "You are signed out", text: "You can close this page." },
  },
  device: {
    ask: { title: "Sign in a device", text: "Enter the code that the device shows." },
    code: "Code",
    app: "Application",
    wrong: "This code is invalid. Compare it with the one on the device, or start again there.",
    declined: "The sign-in was canceled. To sign in, start again on the device.",
    expired: "This form has expired, or the browser has not sent its cookie.",
    next: "Continue",
    confirm: {
      title: "Is this your device?",
      text: "Continue only if you started this sign-in yourself and your device shows the same code.",
      apiAccess:
        "The application will be able to act for you: to read and change everything that your roles allow, such as users, applications and identity providers. You may have to sign in again first.",
    },
    signIn: "Sign in the device",
    cancel: "Cancel",
    done: { title: "The device is signed in", text: "You can close this page and continue there." },
  },
  error: {
    expired: {
      title: "This sign-in has expired",
      text: "It took too long, or it was completed in another tab. Please go back to the application and sign in again.",
    },
    unknownApp: {
      title: "Unknown application",
      text: "The application that sent you here is not registered or has been deactivated. Please contact its operator.",
    },
    refused: {
      title: "Invalid request from the application",
      text: "The application sent an invalid request. Please go back to the application and try again. If it happens again, contact its operator.",
    },
    failed: {
      title: "Something went wrong",
      text: "The problem is on our side. Please go back to the application and try again.",
    },
    details: "Details:",
  },
} as const;
