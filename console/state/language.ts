import { computed, effect, signal } from "@preact/signals";
import { EN, type Texts } from "../texts/en/en.ts";
import { stored } from "./preferences.ts";

/**
 * The languages of the console. English is part of the first program; others are loaded when they are needed. The compiler
 * reports a text that one of them lacks.
 */
export const LANGUAGES = {
  en: { name: "English", load: async () => EN },
  de: { name: "Deutsch", load: async () => (await import("../texts/de/de.ts")).DE },
  es: { name: "Español", load: async () => (await import("../texts/es/es.ts")).ES },
  fr: { name: "Français", load: async () => (await import("../texts/fr/fr.ts")).FR },
} as const satisfies Record<string, { readonly name: string; readonly load: () => Promise<Texts> }>;

export type Language = keyof typeof LANGUAGES;

/** The chosen language; by default, the first one of the browser that the console has. */
export const chosenLanguage = stored<Language | "system">("signet-language", "system");

export const language = computed<Language>(() => {
  if (chosenLanguage.value !== "system") return chosenLanguage.value;
  const tags = navigator.languages.map((tag) => tag.split("-", 1)[0] ?? "");
  return tags.find(isLanguage) ?? "en";
});

const loaded = signal<Readonly<Partial<Record<Language, Texts>>>>({ en: EN });

/** The texts of the language; those in English until they are loaded. */
export const texts = computed<Texts>(() => loaded.value[language.value] ?? EN);

/** Loads the texts of the language, and of others that are chosen later. Without a network, they stay in English. */
export async function followLanguage(): Promise<void> {
  effect(() => {
    void load(language.value);
    document.documentElement.lang = loaded.value[language.value] === undefined ? "en" : language.value;
  });
  await load(language.value);
}

async function load(name: Language): Promise<void> {
  if (loaded.peek()[name] !== undefined) return;
  try {
    const found = await LANGUAGES[name].load();
    loaded.value = { ...loaded.peek(), [name]: found };
  } catch {
    // The next choice of the language tries again.
  }
}

function isLanguage(tag: string): tag is Language {
  return Object.hasOwn(LANGUAGES, tag);
}
