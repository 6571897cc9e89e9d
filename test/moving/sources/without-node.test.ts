import { createContext, runInContext } from "node:vm";
import { build } from "esbuild";
import type { SOURCES } from "../../../src/moving/sources.ts";

/** What readers need besides JavaScript itself; browsers have all of it. */
const WEB = { atob, btoa, TextEncoder, TextDecoder, URL };

test("the sources run without Node", async () => {
  const { outputFiles } = await build({
    entryPoints: ["src/moving/sources.ts"],
    bundle: true,
    write: false,
    // Fails for modules of Node.
    platform: "browser",
    format: "iife",
    globalName: "bundle",
  });
  const code = outputFiles[0]?.text ?? "";
  expect(code).not.toMatch(/\bBuffer\b|\bprocess\b|node:/);
  const { keycloak } = runInContext(`${code}; bundle.SOURCES`, createContext({ ...WEB })) as typeof SOURCES;
  const credentials = [
    {
      type: "password",
      credentialData: '{"hashIterations":1000,"algorithm":"pbkdf2-sha256"}',
      secretData: '{"value":"aGFzaA==","salt":"c2FsdA=="}',
    },
    { type: "otp", credentialData: '{"subType":"totp"}', secretData: '{"value":"12345678901234567890"}' },
  ];
  const converted = keycloak?.convert({ id: "1", credentials }, { map: {} });
  expect(JSON.parse(JSON.stringify(converted))).toMatchObject({
    user: { passwordHash: "$pbkdf2-sha256$1000$c2FsdA==$aGFzaA==", otp: "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ" },
  });
});
