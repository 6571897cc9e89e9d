/** Writes gen/examples/programs.ts: the files of `examples` that the console shows. `npm run build:console` runs it. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";

/** In the order in which they are shown. */
const PATHS = [
  ...["sign-in/express/server.js", "sign-in/browser/sign-in.js", "sign-in/flask/app.py", "sign-in/go/main.go"],
  ...["sign-in/spring/application.yml", "sign-in/spring/SecurityConfiguration.java"],
  ...["sign-in/curl/check-token.sh", "sign-in/curl-device/sign-in.sh"],
  ...["service/curl/get-token.sh", "service/node/service.js", "service/python/service.py", "service/go/main.go"],
  ...["service/spring/application.yml", "service/spring/PrintToken.java"],
  ...["nextjs/lib/signet.js", "nextjs/lib/sealed-cookie.js"],
  ...["nextjs/app/sign-in/route.js", "nextjs/app/signed-in/route.js"],
];

const programs = PATHS.map((path) => ({ path, text: readFileSync(`examples/${path}`, "utf8") }));
mkdirSync("gen/examples", { recursive: true });
writeFileSync("gen/examples/programs.ts", `export const PROGRAMS = ${JSON.stringify(programs, undefined, 2)};\n`);
