import { computed } from "@preact/signals";
import { lazyTexts } from "../../../state/lazy-texts.ts";
import { EN_IMPORT, type ImportTexts } from "./en.ts";

/** Apart from the other texts, because few people need them. */
const found = lazyTexts<ImportTexts>(
  {
    en: async () => EN_IMPORT,
    de: async () => (await import("./de.ts")).DE_IMPORT,
    es: async () => (await import("./es.ts")).ES_IMPORT,
    fr: async () => (await import("./fr.ts")).FR_IMPORT,
  },
  EN_IMPORT,
);

export const importTexts = computed(() => found() ?? EN_IMPORT);

/** Whether the texts are those of a language that was chosen, so that nobody sees one text change into another. */
export const hasImportTexts = computed(() => found() !== undefined);
