/**
 * Runs the programs of the console for Spring: `node check-snippets.ts <version of Spring Boot>`. Reads SIGNET_ADDRESS,
 * SIGNET_TOKEN and the folder OUT.
 */
import { equal, match, ok } from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Snippet, snippetsFor } from "../../../console/screens/apps/snippets/snippet.ts";
import { createBrowser } from "../../support/browsers/browser.ts";
import { freePort } from "../../support/free-port.ts";
import { createSignet } from "../apis/signet-user.ts";
import { whileRunning } from "../while-running.ts";

const [version = ""] = process.argv.slice(2);
const { OUT = "" } = process.env;
const source = import.meta.dirname;
const signet = createSignet();
/** The compiler that starts faster. */
const JAVA_OPTIONS = ["-XX:TieredStopAtLevel=1"];

await signIn();
console.log(`Spring Boot ${version}: signs a user in`);
await getToken();
console.log(`Spring Boot ${version}: gets a token for a service`);

async function signIn(): Promise<void> {
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const redirectUri = `${origin}/signed-in`;
  const app = await signet.addApp("Spring", "OIDC_TOKEN_TYPE_BEARER", redirectUri);
  const snippet = springOf(snippetsFor("web", { issuer: signet.url, clientId: app.clientId, redirectUri }));
  const args = [...build("sign-in", snippet, ["Application.java", "Me.java"]), `--server.port=${port}`];
  const env = { ...process.env, CLIENT_SECRET: app.clientSecret };
  await whileRunning({ command: "java", args, options: { env }, url: origin }, async () => {
    const user = await signet.importUser();
    const browser = createBrowser(origin, origin);
    const { location } = await browser.open("/me");
    equal(location, `${origin}/oauth2/authorization/signet`);
    const begun = await browser.open(location);
    const back = await signet.passSignIn(user, new URL(begun.location));
    ok(back.href.startsWith(`${redirectUri}?`));

    const other = createBrowser(origin, origin);
    await other.open(back.href);
    equal((await other.open("/me")).status, 302, "another browser is not signed in");
    const done = await browser.open(back.href);
    match(done.location, /\/me\b/);
    equal((await browser.open("/me")).text, `${user.userId} Ada Lovelace`);
  });
}

async function getToken(): Promise<void> {
  const app = await signet.addService("Spring service");
  const snippet = springOf(snippetsFor("service", { issuer: signet.url, clientId: app.clientId, redirectUri: "" }));
  const args = build("service", snippet, ["Application.java"]);
  const env = { ...process.env, CLIENT_SECRET: app.clientSecret };
  const output = execFileSync("java", args, { env, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
  const token = output.trim().split("\n").at(-1) ?? "";
  ok(await signet.isActive(app, token), output);
}

function springOf(snippets: readonly Snippet[]): Snippet {
  const snippet = snippets.find(({ name }) => name === "Spring Boot");
  ok(snippet);
  return snippet;
}

/** Compiles a program with Maven. Returns the arguments of `java`. */
function build(name: string, { files }: Snippet, sources: readonly string[]): string[] {
  const folder = join(OUT, `${name}-${version}`);
  const [code, resources] = [join(folder, "src/main/java/com/example"), join(folder, "src/main/resources")];
  for (const each of [code, resources]) mkdirSync(each, { recursive: true });
  for (const { name: file, text } of files) {
    if (file === "build.gradle") writeFileSync(join(folder, "pom.xml"), toPom(text));
    else writeFileSync(join(file.endsWith(".java") ? code : resources, file), text);
  }
  for (const file of sources) copyFileSync(join(source, file), join(code, file));
  const goals = ["compile", "dependency:build-classpath", "-Dmdep.outputFile=classpath"];
  execFileSync("mvn", ["--batch-mode", "--quiet", ...goals], {
    cwd: folder,
    stdio: ["ignore", process.stderr, "inherit"],
  });
  const classpath = `${join(folder, "target/classes")}:${readFileSync(join(folder, "classpath"), "utf8")}`;
  return [...JAVA_OPTIONS, "-cp", classpath, "com.example.Application"];
}

/** The project with the dependencies of the snippet, which are Gradle's. */
function toPom(gradle: string): string {
  const dependencies = [...gradle.matchAll(/^implementation "([\w.]+):([\w-]+)"$/gm)].map(
    ([, group, artifact]) => `<dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId></dependency>`,
  );
  equal(dependencies.length, gradle.trim().split("\n").length);
  const pom = readFileSync(join(source, "pom.xml"), "utf8");
  return pom.replace("@version@", version).replace("@dependencies@", dependencies.join(""));
}
