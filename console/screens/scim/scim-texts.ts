import { computed } from "@preact/signals";
import { lazyTexts } from "../../state/lazy-texts.ts";
import { EN_SCIM, type ScimTexts } from "../../texts/en/scim.ts";

/** Apart from the other texts, because few people need them. */
const found = lazyTexts<ScimTexts>(
  {
    en: async () => EN_SCIM,
    de: async () => (await import("../../texts/de/scim.ts")).DE_SCIM,
    es: async () => (await import("../../texts/es/scim.ts")).ES_SCIM,
    fr: async () => (await import("../../texts/fr/scim.ts")).FR_SCIM,
  },
  EN_SCIM,
);

export const scimTexts = computed(() => found() ?? EN_SCIM);
