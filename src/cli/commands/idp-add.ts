import { type Command, Option } from "commander";
import type { Config } from "../../config.ts";
import { oneOf, withServer } from "./options.ts";

export function defineIdpAdd(idp: Command, configuration: () => Config): void {
  const add = idp.command("add").description("add an identity provider, and print the URLs to register there");
  const kind = (name: string, description: string, hasClient = true) => {
    const command = add.command(name).description(description).argument("<name>", "name that the sign-in page shows");
    if (!hasClient) return common(command, name, configuration);
    command.requiredOption("--client-id <id>", "client id issued by the provider");
    if (name !== "apple") command.requiredOption("--client-secret-file <file>", "file with the client secret");
    command.option("--scope <scope...>", "scope to request; without any, those that are needed", []);
    return common(command, name, configuration);
  };
  kind("google", "add Google");
  kind("azure", "add Microsoft Entra ID")
    .option("--tenant <tenant>", "common, organizations, consumers, or the id or a domain name of one tenant", "common")
    .option("--email-verified", "treat the email addresses of the tenant as verified", false)
    .addOption(
      oneOf("--user-id-attribute <claim>", "claim by which users are linked; without it, oid", ["oid", "sub"]),
    );
  kind("apple", "add Apple")
    .requiredOption("--team-id <id>", "id of the team")
    .requiredOption("--key-id <id>", "id of the key")
    .requiredOption("--private-key-file <file>", "the downloaded .p8 file");
  kind("gitlab", "add GitLab").option("--issuer <url>", "URL of a self-managed GitLab; without it, GitLab.com");
  endpoints(kind("github", "add GitHub, or with the three endpoints a GitHub Enterprise Server"), false);
  endpoints(kind("oauth", "add a provider of OAuth 2.0"), true)
    .requiredOption(
      "--id-attribute <name>",
      "member of the user endpoint's response with the id of the user, such as id or data.id",
    )
    .option("--pkce", "send a code challenge", false);
  kind("oidc", "add a provider of OpenID Connect")
    .requiredOption("--issuer <url>", "issuer of the provider")
    .option("--no-pkce", "send no code challenge")
    .option("--id-token-mapping", "read claims from the ID token only", false)
    .option(...TRUST_EMAIL, false);
  const metadata = new Option("--metadata-file <file>", "file with the metadata of the provider");
  kind("saml", "add a provider of SAML 2.0", false)
    .addOption(metadata.conflicts("metadataUrl"))
    .option("--metadata-url <url>", "URL from which the metadata is loaded once")
    .addOption(oneOf("--binding <binding>", "how requests are sent", ["post", "redirect"]))
    .option("--signed-requests", "sign requests", false)
    .addOption(oneOf("--name-id-format <format>", "the kind of name to request", ["email", "persistent", "transient"]))
    .option("--transient-attribute <name>", "attribute with the id of a user whose name is transient")
    .option("--idp-initiated", "let a sign-in begin at the provider, after the person has confirmed it", false)
    .option(...TRUST_EMAIL, false);
}

const TRUST_EMAIL = [
  "--trust-email",
  "its email addresses count as verified, unless it says that they are not",
] as const;

function endpoints(command: Command, isRequired: boolean): Command {
  const urls = [
    ["--authorization-endpoint <url>", "URL at which the authentication in a browser starts"],
    ["--token-endpoint <url>", "URL at which codes are redeemed"],
    ["--user-endpoint <url>", "URL at which the data about a user is read"],
  ] as const;
  for (const [flags, description] of urls) {
    command.addOption(new Option(flags, description).makeOptionMandatory(isRequired));
  }
  return command;
}

/** The options of all kinds. */
function common(command: Command, kind: string, configuration: () => Config): Command {
  command
    .option("--org <org>", "id or name of the organization that owns it; without it, the instance does")
    .option("--linking", "users who are not linked can sign in to an account, and link it", false)
    .option("--creation", "users who are not linked can register, with a form", false)
    .option("--auto-creation", "they are registered without a form; includes --creation", false)
    .option("--auto-update", "each sign-in takes over changed names and a changed verified address", false)
    .option("--auto-linking", "users are linked by their verified address; includes --linking", false)
    .addOption(
      oneOf("--require-auth-time <answer>", "whether it has to report when a user authenticated", ["yes", "no"]),
    );
  return withServer(command).action(async (name, options) =>
    (await import("../idp.ts")).addIdpCommand(configuration, kind, { name, ...options }),
  );
}
