import { NEXT_FILES } from "../../../../gen/examples/nextjs.ts";
import { originOf, pathOf, type Snippet, type SnippetValues } from "./snippet.ts";

/** The files of `examples/nextjs`, which the tests build and run, with the path of the redirect URI. */
export function toNext(values: SnippetValues): Snippet {
  const path = pathOf(values);
  const environment = `SIGNET_URL=${values.issuer}
APP_ORIGIN=${originOf(values)}
CLIENT_ID=${values.clientId}
CLIENT_SECRET=
# At least 32 random characters, which encrypt the cookies.
SESSION_SECRET=
`;
  return {
    name: "Next.js",
    platform: "Node.js",
    files: [
      { name: "npm", text: "npm install jose openid-client\n" },
      { name: ".env.local", text: environment },
      ...NEXT_FILES.map(({ name, text }) => {
        const moved = text.replaceAll("/signed-in", path);
        if (!name.includes("/signed-in/")) return { name, text: moved };
        return { name: name.replace("/signed-in", path), text: upwards(moved, path) };
      }),
    ],
  };
}

/** Imports from a file that is deeper than `/signed-in`. */
function upwards(text: string, path: string): string {
  return text.replaceAll("../../lib/", `${"../".repeat(path.split("/").length)}lib/`);
}
