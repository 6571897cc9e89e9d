import { Argument, type Command, Option } from "commander";
import type { Config } from "../../config.ts";
import { NOTICES } from "../../texts/en/notices.ts";
import { apiOrg, callsApi, yes } from "./options.ts";

/** The same as in `cli/branding.ts` and `cli/branding-texts.ts`, which are not imported because they load the API. */
const IMAGES = ["logo", "logo-dark", "icon", "icon-dark"];
const MESSAGES = [
  ...["initialization", "email-verification", "password-reset", "phone-verification", "password-reset-sms"],
  ...["registration", "registration-taken", ...Object.keys(NOTICES.kinds), "sign-in-code"],
];

export function defineBrandingCommands(program: Command, configuration: () => Config): void {
  const branding = program.command("branding").description("show and change the branding of pages and emails");
  definePolicy(branding, configuration);
  defineImages(branding, configuration);
  definePageTexts(branding, configuration);
  defineMessageTexts(branding, configuration);
}

function withOwner(command: Command): Command {
  const instance = new Option("--instance", "the branding of the instance, which organizations inherit")
    .default(false)
    .conflicts("org");
  return command.addOption(apiOrg()).addOption(instance);
}

function definePolicy(branding: Command, configuration: () => Config): void {
  const show = branding
    .command("show")
    .description("show the branding as last edited, with a link to its preview, which is valid for an hour")
    .option("--active", "show the one that pages and emails use instead", false);
  callsApi(withOwner(show), configuration, async () => (await import("../branding.ts")).showBrandingCommand);
  const set = branding
    .command("set")
    .description("change some settings, and keep the others; an empty text removes a setting")
    .option("--name <name>", "name at the top of pages and emails")
    .option("--color <color>", "color of buttons and links, such as #0f766e")
    .option("--color-dark <color>", "color of buttons and links on dark pages")
    .option("--support-address <address>", "email address for questions")
    .option("--terms-url <url>", "terms of service")
    .option("--privacy-url <url>", "privacy policy")
    .option("--watermark", "mention Signet at the end of pages")
    .option("--no-watermark", "do not mention Signet");
  callsApi(withOwner(set), configuration, async () => (await import("../branding.ts")).setBrandingCommand);
  const activate = branding.command("activate").description("make pages and emails use the branding as last edited");
  callsApi(withOwner(activate), configuration, async () => (await import("../branding.ts")).activateBrandingCommand);
  const reset = branding
    .command("reset")
    .description("remove all settings and images; the inherited branding is used")
    .addOption(yes());
  callsApi(withOwner(reset), configuration, async () => (await import("../branding.ts")).resetBrandingCommand);
}

function defineImages(branding: Command, configuration: () => Config): void {
  const image = () => new Argument("<image>", "the image").choices(IMAGES);
  const upload = branding
    .command("upload")
    .description("replace an image")
    .addArgument(image())
    .argument("<file>", "PNG or SVG file of at most 512,000 bytes");
  callsApi(withOwner(upload), configuration, async () => (await import("../branding.ts")).uploadImageCommand);
  const remove = branding.command("remove").description("remove an image").addArgument(image());
  callsApi(withOwner(remove), configuration, async () => (await import("../branding.ts")).removeImageCommand);
}

const LANGUAGE = ["<language>", "language of the texts, such as de"] as const;

function definePageTexts(branding: Command, configuration: () => Config): void {
  const texts = branding.command("texts").description("show and replace the texts of pages");
  const list = texts
    .command("list")
    .description("list the texts of pages as last edited")
    .argument(...LANGUAGE);
  callsApi(withOwner(list), configuration, async () => (await import("../branding-texts.ts")).listPageTextsCommand);
  const set = texts
    .command("set")
    .description("replace a text of pages")
    .argument(...LANGUAGE)
    .argument("<key>", "key of the text, as shown by `branding texts list`")
    .argument("<text>", "the text, with its placeholders; empty for the inherited one");
  callsApi(withOwner(set), configuration, async () => (await import("../branding-texts.ts")).setPageTextCommand);
  const reset = texts
    .command("reset")
    .description("remove all replaced texts of pages in a language, also from pages")
    .argument(...LANGUAGE)
    .addOption(yes());
  callsApi(withOwner(reset), configuration, async () => (await import("../branding-texts.ts")).resetPageTextsCommand);
}

function defineMessageTexts(branding: Command, configuration: () => Config): void {
  const messages = branding.command("messages").description("show and replace the texts of emails and SMS");
  const message = () => new Argument("<message>", "the message").choices(MESSAGES);
  const list = messages
    .command("list")
    .description("list the texts of messages")
    .argument(...LANGUAGE);
  callsApi(withOwner(list), configuration, async () => (await import("../branding-texts.ts")).listMessageTextsCommand);
  const set = messages
    .command("set")
    .description("replace the texts of a message")
    .argument(...LANGUAGE)
    .addArgument(message())
    .requiredOption("--text <text>", "text of the message")
    .option("--subject <text>", "subject of an email")
    .option("--button <text>", "button of an email");
  callsApi(withOwner(set), configuration, async () => (await import("../branding-texts.ts")).setMessageTextCommand);
  const reset = messages
    .command("reset")
    .description("remove the texts of a message in a language; the inherited ones are used")
    .argument(...LANGUAGE)
    .addArgument(message())
    .addOption(yes());
  callsApi(withOwner(reset), configuration, async () => (await import("../branding-texts.ts")).resetMessageTextCommand);
}
