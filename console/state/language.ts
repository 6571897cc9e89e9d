import { computed, effect } from "@preact/signals";
import { DE } from "../texts/de/de.ts";
import { EN } from "../texts/en/en.ts";
import type { Texts } from "../texts/shape.ts";
import { stored } from "./preferences.ts";

/** The languages of the console. The compiler reports a text that one of them lacks. */
export const LANGUAGES = {
  en: { name: "English", texts: EN },
  de: { name: "Deutsch", texts: DE },
} as const satisfies Record<string, { readonly name: string; readonly texts: Texts }>;

export type Language = keyof typeof LANGUAGES;

/** The chosen language; by default, the first one of the browser that the console has. */
export const chosenLanguage = stored<Language | "system">("signet-language", "system");

export const language = computed<Language>(() => {
  if (chosenLanguage.value !== "system") return chosenLanguage.value;
  const tags = navigator.languages.map((tag) => tag.split("-", 1)[0] ?? "");
  return tags.find(isLanguage) ?? "en";
});

/** The texts of the language. */
export const texts = computed<Texts>(() => LANGUAGES[language.value].texts);

export function followLanguage(): void {
  effect(() => {
    document.documentElement.lang = language.value;
  });
}

function isLanguage(tag: string): tag is Language {
  return Object.hasOwn(LANGUAGES, tag);
}
