import { signal } from "@preact/signals";
import { type Language, language } from "./language.ts";

/**
 * Texts that are not part of those of `language.ts`, one file per language, loaded when they are first read.
 *
 * @param files Loads the texts of a language.
 * @param otherwise The texts without a network.
 * @returns Reads the texts: undefined until they are loaded, and those of the previous language while another one is loaded.
 */
export function lazyTexts<T>(files: Readonly<Record<Language, () => Promise<T>>>, otherwise: T): () => T | undefined {
  const shown = signal<T | undefined>(undefined);
  let requested: Language | undefined;

  async function load(name: Language): Promise<void> {
    requested = name;
    const found = await files[name]().catch(() => otherwise);
    if (requested === name) shown.value = found;
  }

  return () => {
    if (requested !== language.value) void load(language.value);
    return shown.value;
  };
}
