/** A program that other people wrote, and that calls Signet. */
export interface Program {
  readonly name: string;
  /** A shell script that runs in the root of the repository, with SIGNET_ADDRESS, SIGNET_TOKEN and the folder OUT. */
  readonly script: string;
  /** Commands that succeed if the script's tools are installed. */
  readonly needs: readonly string[];
  /** What the script must print. */
  readonly prints: RegExp;
  /** Whether the script runs `signet`, which needs DATA_DIR and PORT of the service. */
  readonly hasCommands?: boolean;
}

/** Imports a user twice. */
const IMPORTS = /^imported [0-9a-f-]{36} sequence 3\nread Ada USER_STATE_\w+\nfailed USER_NAME_TAKEN$/m;
const GO = ["go version"];
const PYTHON = ["python3 -m venv --help", "python3 -m ensurepip --version"];
const JAVA = ["javac -version", "mvn --version"];
const RUST = ["cargo --version", "cc --version"];
const RUBY = ["protoc --version", "command -v grpc_ruby_plugin", "ruby -e 'require \"grpc\"'"];

/** The samples of docs/clients.md, in its order. */
export const CLIENTS: readonly Program[] = [
  client("typescript", []),
  client("go", GO),
  client("python", PYTHON),
  client("java", JAVA),
  client("csharp", ["dotnet --version"]),
  client("ruby", RUBY),
  client("rust", RUST),
];

/** The examples of docs/guides: APIs that accept access tokens, and an application. */
export const EXAMPLES: readonly Program[] = [
  api("express", []),
  api("fastify", []),
  api("flask", PYTHON),
  api("go-api", GO),
  {
    name: "mcp-server",
    script: "examples/mcp-server/run.sh",
    needs: ["openssl version"],
    prints: /^(a .+ signs a user in, and calls a tool\n){2}other tokens are refused$/m,
  },
  { name: "nextjs", script: "examples/nextjs/run.sh", needs: [], prints: /^signs a user in.*\nsigns the user out$/m },
];

/** Programs that are not samples. */
export const OTHERS: readonly Program[] = [
  { name: "grpcurl", script: "test/foreign/grpcurl/run.sh", needs: GO, prints: /"reason": "USER_NAME_TAKEN"/ },
  {
    name: "connect-go",
    script: "test/foreign/connect-go/run.sh",
    needs: GO,
    prints: /^((connect|grpcweb|grpc): imported [0-9a-f-]{36}, then already_exists USER_NAME_TAKEN\n){4}$/,
  },
  // npm installs these, so they run everywhere.
  { name: "redocly", script: "test/foreign/redocly/run.sh", needs: [], prints: /valid\. \S+\s*$/ },
  { name: "spectral", script: "test/foreign/spectral/run.sh", needs: [], prints: /^No results/m },
  { name: "openapi-typescript", script: "test/foreign/openapi-typescript/run.sh", needs: [], prints: IMPORTS },
  {
    name: "relying-parties",
    script: "test/foreign/relying-parties/run.sh",
    needs: [],
    prints: /^(.+: signs a user in without PKCE\n){2}openid-client 6: signs a user in with PAR and DPoP$/m,
  },
  {
    name: "openapi-python-client",
    script: "test/foreign/openapi-python-client/run.sh",
    needs: PYTHON,
    prints: IMPORTS,
  },
  {
    name: "openapi-generator",
    script: "test/foreign/openapi-generator/run.sh",
    needs: [...PYTHON, ...JAVA],
    prints: IMPORTS,
  },
  {
    name: "schemathesis",
    script: "test/foreign/schemathesis/run.sh",
    needs: [...PYTHON, "curl --version"],
    prints: /^ +\d+ generated, \d+ passed/m,
  },
  {
    name: "scim2-tester",
    script: "test/foreign/scim2-tester/run.sh",
    needs: PYTHON,
    prints: /^\d{2,} checks passed, \d+ differ as documented, 0 failed$/m,
  },
  {
    name: "scim2-sdk",
    script: "test/foreign/scim2-sdk/run.sh",
    needs: JAVA,
    prints: /finds what the service supports\n(.+\n){9}deletes$/m,
  },
  {
    name: "spring",
    script: "test/foreign/spring/run.sh",
    needs: JAVA,
    prints: /^(Spring Boot \S+: signs a user in\nSpring Boot \S+: gets a token for a service\n){2}$/,
  },
];

/** Keycloak and Signet, each as the provider of the other: docs/keycloak.md. */
export const KEYCLOAK: readonly Program[] = [
  {
    name: "keycloak",
    script: "test/foreign/keycloak/run.sh",
    needs: [
      "java -version 2>&1 | grep -E 'version \"(1[7-9]|[2-9][0-9])'",
      "mvn --version",
      `test -x ${process.env.CHROMIUM_PATH ?? "/usr/bin/chromium"}`,
      "curl --version",
      "openssl version",
    ],
    prints:
      /^(Keycloak as provider: .+\n){4}(Keycloak as SAML provider, (redirect|post): .+\n){8}(Signet as provider: .+\n){5}$/,
    hasCommands: true,
  },
];

function api(name: string, needs: readonly string[]): Program {
  return {
    name,
    script: `examples/${name}/run.sh`,
    needs,
    prints: /^introspection: accepts .+\nsignature: accepts .+$/m,
  };
}

function client(language: string, needs: readonly string[]): Program {
  return {
    name: language,
    script: `examples/clients/${language}/run.sh`,
    needs,
    prints: /^imported [0-9a-f-]{36}\nfailed \w+ USER_NAME_TAKEN$/m,
  };
}
