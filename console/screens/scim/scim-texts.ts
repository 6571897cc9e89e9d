import { computed } from "@preact/signals";
import { type Language, language } from "../../state/language.ts";
import { DE_SCIM } from "../../texts/de/scim.ts";
import { EN_SCIM, type ScimTexts } from "../../texts/en/scim.ts";

const TEXTS: Readonly<Record<Language, ScimTexts>> = { en: EN_SCIM, de: DE_SCIM };

/** The texts are part of the screen instead of the first program, because few people need them. */
export const scimTexts = computed(() => TEXTS[language.value]);
