import type { MessageKind } from "../branding/message-texts.ts";
import { MESSAGE_TEXT_TYPES } from "../rpc/messages/branding.ts";
import { apiCommand, confirmedCommand } from "./api.ts";
import type { BrandingOptions } from "./branding.ts";
import { openBranding, printChanged } from "./branding-calls.ts";
import { nameOf, print, toTable } from "./print.ts";

interface TextOptions extends BrandingOptions {
  readonly language: string;
}

/** `signet branding texts list`: the texts of pages. With --json, the response of the call. */
export const listPageTextsCommand = apiCommand(async (api, { language, ...options }: TextOptions) => {
  const { result, json } = await (await openBranding(api, options)).listPageTexts(language);
  const rows = result.map(({ key, text, isDefault, isDraft }) => [
    key,
    isDraft ? "not active" : isDefault ? "inherited" : "own",
    text,
  ]);
  print(options.json, json, toTable(["KEY", "STATE", "TEXT"], rows));
});

/** `signet branding texts set`: replaces a text of pages, or without a text goes back to the inherited one. */
export const setPageTextCommand = apiCommand(
  async (api, { language, key, text, ...options }: TextOptions & { readonly key: string; readonly text: string }) => {
    const branding = await openBranding(api, options);
    const changed = await branding.setPageText(language, key, text);
    printChanged(options.json, changed, `changed ${key}; pages use it after \`signet branding activate\``);
  },
);

/** `signet branding texts reset`: removes all replaced texts of pages in a language. */
export const resetPageTextsCommand = confirmedCommand(async (api, { language, ...options }: TextOptions, confirm) => {
  const branding = await openBranding(api, options);
  await confirm(`Remove all replaced texts of pages in ${language}? This cannot be undone.`);
  printChanged(options.json, await branding.resetPageTexts(language), `reset the texts of pages in ${language}`);
});

interface MessageOptions extends TextOptions {
  readonly message: MessageKind;
}

/** `signet branding messages list`: the texts of messages. With --json, the response of the call. */
export const listMessageTextsCommand = apiCommand(async (api, { language, ...options }: TextOptions) => {
  const { result, json } = await (await openBranding(api, options)).listMessageTexts(language);
  const rows = result.map(({ type, isDefault, subject, buttonText, text }) => [
    nameOf(MESSAGE_TEXT_TYPES, type),
    isDefault ? "inherited" : "own",
    subject,
    buttonText,
    text,
  ]);
  print(options.json, json, toTable(["MESSAGE", "STATE", "SUBJECT", "BUTTON", "TEXT"], rows));
});

/** `signet branding messages set`: replaces the texts of a message, which messages have within five seconds. */
export const setMessageTextCommand = apiCommand(async (api, options: SetMessageOptions) => {
  const { language, message, subject = "", text, button = "" } = options;
  const branding = await openBranding(api, options);
  const id = { type: MESSAGE_TEXT_TYPES[message], language };
  const changed = await branding.setMessageText(id, { subject, text, buttonText: button });
  printChanged(options.json, changed, `changed the message ${message} in ${language}`);
});

interface SetMessageOptions extends MessageOptions {
  readonly subject?: string;
  readonly text: string;
  readonly button?: string;
}

/** `signet branding messages reset`: removes the texts of a message in a language. */
export const resetMessageTextCommand = confirmedCommand(
  async (api, { language, message, ...options }: MessageOptions, confirm) => {
    const branding = await openBranding(api, options);
    await confirm(`Remove the texts of the message ${message} in ${language}? This cannot be undone.`);
    const changed = await branding.resetMessageText({ type: MESSAGE_TEXT_TYPES[message], language });
    printChanged(options.json, changed, `reset the message ${message} in ${language}`);
  },
);
