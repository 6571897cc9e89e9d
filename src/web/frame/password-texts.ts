import type { Language } from "../../messages/languages.ts";
import type { PasswordProblem } from "../../passwords/policy.ts";

export type PasswordError = PasswordProblem | "missing" | "different" | "unchanged";

/** The texts of pages about a new password. */
interface PasswordTexts {
  readonly rule: (characters: number) => string;
  readonly errors: Readonly<Record<Exclude<PasswordError, "too-long">, string>> & {
    readonly "too-long": (bytes: number) => string;
  };
}

export const PASSWORD_TEXTS: Readonly<Record<Language, PasswordTexts>> = {
  en: {
    rule: (characters) => `At least ${characters} characters. A few words are easy to remember.`,
    errors: {
      missing: "Please choose a password.",
      "too-short": "The password is too short: it must have at least 8 characters.",
      "too-long": (bytes) =>
        `The password is too long: it can have at most ${bytes} bytes. Accents and emoji count more than once.`,
      "not-text": "The password contains a character that cannot be used.",
      common: "Many people use this password, so it is easy to guess. Please choose another one.",
      personal: "The password contains little more than a name, so it is easy to guess. Please choose another one.",
      different: "The two passwords do not match. Please enter both again.",
      unchanged: "This is your current password. Please choose another one.",
    },
  },
  de: {
    rule: (characters) => `Mindestens ${characters} Zeichen. Mehrere Wörter hintereinander sind leicht zu merken.`,
    errors: {
      missing: "Bitte wählen Sie ein Passwort.",
      "too-short": "Das Passwort ist zu kurz: Es muss mindestens 8 Zeichen lang sein.",
      "too-long": (bytes) =>
        `Das Passwort ist zu lang: Es darf höchstens ${bytes} Byte lang sein. Umlaute und Emojis zählen mehrfach.`,
      "not-text": "Das Passwort enthält ein Zeichen, das nicht verwendet werden kann.",
      common: "Dieses Passwort wird oft verwendet und ist daher leicht zu erraten. Bitte wählen Sie ein anderes.",
      personal:
        "Das Passwort besteht fast nur aus einem Namen und ist daher leicht zu erraten. Bitte wählen Sie ein anderes.",
      different: "Die beiden Passwörter stimmen nicht überein. Bitte geben Sie beide noch einmal ein.",
      unchanged: "Das ist Ihr aktuelles Passwort. Bitte wählen Sie ein anderes.",
    },
  },
  fr: {
    rule: (characters) => `Au moins ${characters} caractères. Une suite de quelques mots est facile à retenir.`,
    errors: {
      missing: "Veuillez choisir un mot de passe.",
      "too-short": "Le mot de passe est trop court\u00a0: il doit comporter au moins 8 caractères.",
      "too-long": (bytes) =>
        `Le mot de passe est trop long\u00a0: il ne doit pas dépasser ${bytes} octets. Les accents et les émojis comptent plusieurs fois.`,
      "not-text": "Le mot de passe contient un caractère qui ne peut pas être utilisé.",
      common: "Ce mot de passe est très répandu, donc facile à deviner. Veuillez en choisir un autre.",
      personal:
        "Ce mot de passe ne contient guère plus qu’un nom, il est donc facile à deviner. Veuillez en choisir un autre.",
      different: "Les deux mots de passe ne correspondent pas. Veuillez les saisir de nouveau.",
      unchanged: "C’est votre mot de passe actuel. Veuillez en choisir un autre.",
    },
  },
  es: {
    rule: (characters) => `Al menos ${characters} caracteres. Unas cuantas palabras seguidas son fáciles de recordar.`,
    errors: {
      missing: "Elija una contraseña.",
      "too-short": "La contraseña es demasiado corta: debe tener al menos 8 caracteres.",
      "too-long": (bytes) =>
        `La contraseña es demasiado larga: puede tener como máximo ${bytes} bytes. Las tildes y los emojis cuentan más de una vez.`,
      "not-text": "La contraseña contiene un carácter que no se puede usar.",
      common: "Muchas personas usan esta contraseña, por lo que es fácil de adivinar. Elija otra.",
      personal: "La contraseña contiene poco más que un nombre, por lo que es fácil de adivinar. Elija otra.",
      different: "Las dos contraseñas no coinciden. Introdúzcalas de nuevo.",
      unchanged: "Esta es su contraseña actual. Elija otra.",
    },
  },
};
