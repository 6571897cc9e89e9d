import type { Language } from "../../messages/languages.ts";

interface DeviceTexts {
  readonly ask: { readonly title: string; readonly text: string };
  readonly code: string;
  readonly app: string;
  readonly wrong: string;
  readonly declined: string;
  readonly next: string;
  readonly confirm: { readonly title: string; readonly text: string };
  readonly signIn: string;
  readonly cancel: string;
  readonly done: { readonly title: string; readonly text: string };
}

export const DEVICE_TEXTS: Readonly<Record<Language, DeviceTexts>> = {
  en: {
    ask: { title: "Sign in a device", text: "Enter the code that the device shows." },
    code: "Code",
    app: "Application",
    wrong: "This code is invalid. Compare it with the one on the device, or start again there.",
    declined: "The sign-in was canceled. To sign in, start again on the device.",
    next: "Continue",
    confirm: {
      title: "Is this your device?",
      text: "Continue only if you started this sign-in yourself and your device shows the same code.",
    },
    signIn: "Sign in the device",
    cancel: "Cancel",
    done: { title: "The device is signed in", text: "You can close this page and continue there." },
  },
  de: {
    ask: { title: "Gerät anmelden", text: "Geben Sie den Code ein, den das Gerät anzeigt." },
    code: "Code",
    app: "Anwendung",
    wrong: "Dieser Code ist ungültig. Vergleichen Sie ihn mit dem Code auf dem Gerät oder beginnen Sie dort neu.",
    declined: "Die Anmeldung wurde abgebrochen. Um sich anzumelden, beginnen Sie auf dem Gerät neu.",
    next: "Weiter",
    confirm: {
      title: "Ist das Ihr Gerät?",
      text: "Fahren Sie nur fort, wenn Sie diese Anmeldung selbst begonnen haben und Ihr Gerät denselben Code anzeigt.",
    },
    signIn: "Gerät anmelden",
    cancel: "Abbrechen",
    done: { title: "Das Gerät ist angemeldet", text: "Sie können diese Seite schließen und dort fortfahren." },
  },
  fr: {
    ask: { title: "Connecter un appareil", text: "Saisissez le code affiché par l’appareil." },
    code: "Code",
    app: "Application",
    wrong: "Ce code n’est pas valide. Comparez-le avec celui de l’appareil ou recommencez sur l’appareil.",
    declined: "La connexion a été annulée. Pour vous connecter, recommencez sur l’appareil.",
    next: "Continuer",
    confirm: {
      title: "Est-ce votre appareil\u202f?",
      text: "Continuez uniquement si c’est vous qui avez commencé cette connexion et si votre appareil affiche le même code.",
    },
    signIn: "Connecter l’appareil",
    cancel: "Annuler",
    done: { title: "L’appareil est connecté", text: "Vous pouvez fermer cette page et continuer sur l’appareil." },
  },
  es: {
    ask: { title: "Iniciar sesión en un dispositivo", text: "Introduzca el código que muestra el dispositivo." },
    code: "Código",
    app: "Aplicación",
    wrong: "Este código no es válido. Compárelo con el del dispositivo o empiece allí de nuevo.",
    declined: "Se ha cancelado el inicio de sesión. Para iniciar sesión, empiece de nuevo en el dispositivo.",
    next: "Continuar",
    confirm: {
      title: "¿Es este su dispositivo?",
      text: "Continúe solo si es usted quien ha empezado este inicio de sesión y si su dispositivo muestra el mismo código.",
    },
    signIn: "Iniciar sesión en el dispositivo",
    cancel: "Cancelar",
    done: {
      title: "Ha iniciado sesión en el dispositivo",
      text: "Puede cerrar esta página y continuar en el dispositivo.",
    },
  },
};
