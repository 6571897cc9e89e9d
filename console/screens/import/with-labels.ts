import type { ImportTexts } from "./texts/en.ts";

/** The options of the command that its messages name, as they are called on the page. */
const LABELS: Readonly<Record<string, (texts: ImportTexts) => string>> = {
  "--names": ({ names }) => names.title,
  "--default-region": ({ region }) => region,
  "--allow-shared": ({ allowShared }) => allowShared,
  "--idp": ({ providers }) => providers.title,
  "--rp-id": ({ rpId }) => rpId,
  "--signer-key": ({ firebase }) => firebase.signerKey,
};

/** Replaces the names of options in a message of the check by what they are called on the page. */
export function withLabels(message: string, texts: ImportTexts): string {
  return message.replace(/--[a-z-]+/g, (name) => {
    const label = LABELS[name]?.(texts);
    return label === undefined ? name : `"${label}"`;
  });
}
