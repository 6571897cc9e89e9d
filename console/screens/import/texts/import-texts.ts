import { computed } from "@preact/signals";
import { type Language, language } from "../../../state/language.ts";
import { DE_IMPORT } from "./de.ts";
import { EN_IMPORT, type ImportTexts } from "./en.ts";

const TEXTS: Readonly<Record<Language, ImportTexts>> = { en: EN_IMPORT, de: DE_IMPORT };

/** The texts are part of the screen instead of the first program, because few people need them. */
export const importTexts = computed(() => TEXTS[language.value]);
