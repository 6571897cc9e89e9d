import { PROGRAMS } from "../../../../gen/examples/programs.ts";
import type { Kind } from "../kinds.ts";

/** What the developer of an application copies. */
export interface Snippet {
  /** The name of the framework, such as `Express`. */
  readonly name: string;
  /** Where it runs, such as `Node.js`. */
  readonly platform: string;
  readonly files: readonly File[];
}

interface File {
  readonly name: string;
  readonly text: string;
}

/** The application in the snippets. */
export interface SnippetValues {
  /** The URL of the service. */
  readonly issuer: string;
  readonly clientId: string;
  /** Empty if there is none yet. */
  readonly redirectUri: string;
}

/** The programs for a kind of application, with its values. */
export function snippetsFor(kind: Kind, values: SnippetValues): readonly Snippet[] {
  return SNIPPETS[kind].map(({ files, ...snippet }) => ({
    ...snippet,
    files: files.map((file) => fill(file, values)),
  }));
}

const NEXT_ENVIRONMENT = `SIGNET_URL=https://id.example.com
APP_ORIGIN=https://app.example.com
CLIENT_ID=YOUR_CLIENT_ID
CLIENT_SECRET=
# At least 32 random characters, which encrypt the cookies.
SESSION_SECRET=
`;

const SNIPPETS: Readonly<Record<Kind, readonly Snippet[]>> = {
  web: [
    program("Express", "Node.js", "sign-in/express", { npm: "npm install express openid-client\n" }),
    program("Next.js", "Node.js", "nextjs", {
      ...{ npm: "npm install jose openid-client\n", ".env.local": NEXT_ENVIRONMENT },
    }),
    program("Spring Boot", "Java", "sign-in/spring", {
      "build.gradle": toGradle("spring-boot-starter-web", "spring-boot-starter-oauth2-client"),
    }),
    program("Flask", "Python, Authlib", "sign-in/flask", { pip: "pip install Authlib Flask requests\n" }),
    program("go-oidc", "Go", "sign-in/go", { go: "go get github.com/coreos/go-oidc/v3 golang.org/x/oauth2\n" }),
    program("curl", "Shell", "sign-in/curl"),
  ],
  browser: [
    program("oidc-client-ts", "React, Vue, Svelte", "sign-in/browser", { npm: "npm install oidc-client-ts\n" }),
  ],
  native: [program("curl", "Shell", "sign-in/curl-device")],
  service: [
    program("curl", "Shell", "service/curl"),
    program("openid-client", "Node.js", "service/node", { npm: "npm install openid-client\n" }),
    program("Spring Boot", "Java", "service/spring", {
      "build.gradle": toGradle("spring-boot-starter-oauth2-client", "spring-boot-starter-json"),
    }),
    program("Authlib", "Python", "service/python", { pip: "pip install Authlib requests\n" }),
    program("oauth2", "Go", "service/go", { go: "go get golang.org/x/oauth2\n" }),
  ],
};

/**
 * @param folder Of its files in `examples`.
 * @param before Further texts by their names: how its packages are installed, and its environment.
 */
function program(
  name: string,
  platform: string,
  folder: string,
  before: Readonly<Record<string, string>> = {},
): Snippet {
  const files = PROGRAMS.filter(({ path }) => path.startsWith(`${folder}/`));
  return {
    ...{ name, platform },
    files: [
      ...Object.entries(before).map(([file, text]) => ({ name: file, text })),
      ...files.map(({ path, text }) => ({ name: path.slice(folder.length + 1), text })),
    ],
  };
}

function toGradle(...starters: readonly string[]): string {
  return starters.map((starter) => `implementation "org.springframework.boot:${starter}"\n`).join("");
}

/** What stands in the examples for the values of an application. */
const PLACEHOLDERS =
  /https:\/\/id\.example\.com|YOUR_CLIENT_ID|https:\/\/app\.example\.com(?:\/signed-in)?|\/signed-in/g;

function fill({ name, text }: File, { issuer, clientId, redirectUri }: SnippetValues): File {
  const url = URL.parse(redirectUri);
  const path = url?.pathname ?? "/signed-in";
  const values: Readonly<Record<string, string | undefined>> = {
    "https://id.example.com": issuer,
    YOUR_CLIENT_ID: clientId,
    "https://app.example.com/signed-in": redirectUri || undefined,
    "https://app.example.com": url?.origin,
    "/signed-in": path,
  };
  const filled = text.replace(PLACEHOLDERS, (found) => values[found] ?? found);
  // A route of Next.js is as deep in its folder as its path, and imports from above.
  if (!name.includes("/signed-in/")) return { name, text: filled };
  const above = `${"../".repeat(path.split("/").length)}lib/`;
  return { name: name.replace("/signed-in", path), text: filled.replaceAll("../../lib/", above) };
}
