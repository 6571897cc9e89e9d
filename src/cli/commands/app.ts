import { type Command, Option } from "commander";
import type { Config } from "../../config.ts";
import { defineAppRoles } from "./app-roles.ts";
import { isOnServer, serverOrg, withServer, yes } from "./options.ts";

/** Defines `signet app …`. */
export function defineAppCommands(program: Command, configuration: () => Config): void {
  const app = program.command("app").description("manage the applications that users sign in to");
  defineCreate(app, configuration);
  defineReads(app, configuration);
  defineUpdate(app, configuration);
  defineSecret(app, configuration);
  defineRemove(app, configuration);
  defineAppRoles(app, configuration);
}

function defineCreate(app: Command, configuration: () => Config): void {
  const create = app
    .command("create")
    .description("add an application; its client secret is shown only once")
    .argument("<name>", "name that the sign-in page shows")
    .option("--redirect-uri <uri...>", "URI the browser can return to after sign-in", [])
    .option("--post-logout-redirect-uri <uri...>", "URI the browser can return to after sign-out", [])
    .option("--back-channel-logout-uri <uri>", "URL that is notified of sign-outs")
    .addOption(new Option("--type <type>", "where it runs").choices(["web", "spa", "native", "service"]).default("web"))
    .option("--service-user <id>", "id of the machine user that an application of the type service gets tokens for")
    .addOption(authMethod())
    .addOption(jwksFile())
    .addOption(jwksUri())
    .option("--dev-mode", "allow http URIs", false)
    .option("--id-token-claims", "put the claims of all granted scopes in ID tokens", false)
    .addOption(idTokenAlgorithm().default("RS256"))
    .option("--api-access", "let it call the API with the roles of its users (scope urn:signet:api)", false)
    .addOption(accessTokenType().default("opaque"))
    .option("--role <role...>", "name of a role that users can have in it", [])
    .option("--metadata-claim <key...>", "key of metadata of users that it gets as a claim", [])
    .option(
      "--require-pkce",
      "require PKCE although it has a secret or key; other applications always require it",
      false,
    )
    .option("--require-par", "require pushed authorization requests (RFC 9126)", false)
    .option("--require-dpop", "issue only tokens that are bound to a key of the application (RFC 9449)", false)
    .option(
      "--org <org>",
      "id or name of the organization whose users sign in (default: on a server, that of the token; otherwise, default)",
    )
    .option("--instance", "add an application for the users of all organizations", false);
  withServer(create).action(async (name, options) =>
    isOnServer(options)
      ? (await import("../server-apps.ts")).createAppOnServer(configuration, { name, ...options })
      : (await import("../app.ts")).createAppCommand(configuration(), { name, ...options }),
  );
}

function defineReads(app: Command, configuration: () => Config): void {
  const list = app
    .command("list")
    .description("list all applications; on a server, those of one organization")
    .option("--instance", "list only those of the instance", false)
    .addOption(serverOrg());
  withServer(list).action(async (options) =>
    isOnServer(options)
      ? (await import("../server-apps.ts")).listAppsOnServer(configuration, options)
      : (await import("../app.ts")).listAppsCommand(configuration(), options),
  );
  const show = app
    .command("show")
    .description("show one application, without its secret")
    .argument("<client-id>", "client id, as shown by `app list`")
    .addOption(serverOrg());
  withServer(show).action(async (id, options) =>
    isOnServer(options)
      ? (await import("../server-apps.ts")).showAppOnServer(configuration, { id, ...options })
      : (await import("../app.ts")).showAppCommand(configuration(), { id, ...options }),
  );
}

function defineUpdate(app: Command, configuration: () => Config): void {
  const update = app
    .command("update")
    .description("change the given parts of the configuration; a list replaces the whole stored list")
    .argument("<client-id>", "client id, as shown by `app list`")
    .option("--redirect-uri <uri...>", "URI the browser can return to after sign-in")
    .option("--post-logout-redirect-uri <uri...>", "URI the browser can return to after sign-out")
    .option("--back-channel-logout-uri <uri>", "URL that is notified of sign-outs; empty to remove it")
    .addOption(authMethod())
    .addOption(jwksFile())
    .addOption(jwksUri())
    .option("--dev-mode", "allow http URIs")
    .option("--no-dev-mode", "do not allow http URIs")
    .option("--id-token-claims", "put the claims of all granted scopes in ID tokens")
    .option("--no-id-token-claims", "do not put them there")
    .addOption(idTokenAlgorithm())
    .option("--api-access", "let it call the API with the roles of its users (scope urn:signet:api)")
    .option("--no-api-access", "do not let it call the API; its access tokens for the API become invalid")
    .option("--service-user <id>", "id of another machine user; tokens for the previous one become invalid")
    .addOption(accessTokenType())
    .option("--role <role...>", "name of a role that users can have in it; for no roles, use `app roles set`")
    .option("--metadata-claim <key...>", "key of metadata of users that it gets as a claim")
    .option("--require-pkce", "require PKCE")
    .option("--no-require-pkce", "do not require PKCE of an application with a secret or key")
    .option("--require-par", "require pushed authorization requests (RFC 9126)")
    .option("--no-require-par", "do not require them")
    .option("--require-dpop", "issue only tokens that are bound to a key of the application (RFC 9449)")
    .option("--no-require-dpop", "also issue bearer tokens")
    .option("--instance", "fail unless it is an application of the instance", false)
    .addOption(serverOrg());
  withServer(update).action(async (id, options) =>
    isOnServer(options)
      ? (await import("../server-apps.ts")).updateAppOnServer(configuration, { id, ...options })
      : (await import("../update-app.ts")).updateAppCommand(configuration(), { id, ...options }),
  );
}

function defineSecret(app: Command, configuration: () => Config): void {
  const secret = app
    .command("secret")
    .description("replace the client secret; the old one stops working immediately")
    .argument("<client-id>", "client id, as shown by `app list`")
    .addOption(serverOrg())
    .addOption(yes());
  withServer(secret).action(async (id, options) =>
    isOnServer(options)
      ? (await import("../server-apps.ts")).appSecretOnServer(configuration, { id, ...options })
      : (await import("../app.ts")).appSecretCommand(configuration(), { id, ...options }),
  );
}

function defineRemove(app: Command, configuration: () => Config): void {
  const remove = app
    .command("remove")
    .description("remove an application and its tokens")
    .argument("<client-id>", "client id, as shown by `app list`")
    .addOption(serverOrg())
    .addOption(yes());
  withServer(remove).action(async (id, options) =>
    isOnServer(options)
      ? (await import("../server-apps.ts")).removeAppOnServer(configuration, { id, ...options })
      : (await import("../app.ts")).removeAppCommand(configuration(), { id, ...options }),
  );
}

function accessTokenType(): Option {
  return new Option("--access-token-type <type>", "form of its access tokens").choices(["opaque", "jwt"]);
}

function idTokenAlgorithm() {
  const option = new Option("--id-token-algorithm <algorithm>", "what signs its ID tokens and logout tokens");
  return option.choices(["RS256", "ES256", "EdDSA", "PS256"]);
}

function authMethod(): Option {
  const option = new Option("--auth-method <method>", "how it sends its secret: in the header or in the body");
  return option.choices(["basic", "post"]).conflicts(["jwksFile", "jwksUri"]);
}

function jwksFile(): Option {
  const option = new Option(
    "--jwks-file <file>",
    "it signs instead of sending a secret: JSON Web Key Set, public keys",
  );
  return option.conflicts(["jwksUri"]);
}

function jwksUri(): Option {
  return new Option("--jwks-uri <url>", "it signs instead of sending a secret: URL of its JSON Web Key Set");
}
