import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { type CoseKey, isUsableKey } from "../../src/passkeys/is-usable-key.ts";

const part = (key: KeyObject, name: "x" | "y" | "n" | "e") =>
  Uint8Array.from(Buffer.from(key.export({ format: "jwk" })[name] ?? "", "base64url"));

const ed25519 = generateKeyPairSync("ed25519").publicKey;
const p256 = generateKeyPairSync("ec", { namedCurve: "P-256" }).publicKey;
const p384 = generateKeyPairSync("ec", { namedCurve: "P-384" }).publicKey;
const rsa = (modulusLength: number) => generateKeyPairSync("rsa", { modulusLength }).publicKey;

type Parts = [number, unknown][];
const eddsa: Parts = [
  [1, 1],
  [3, -8],
  [-1, 6],
  [-2, part(ed25519, "x")],
];
const es256: Parts = [
  [1, 2],
  [3, -7],
  [-1, 1],
  [-2, part(p256, "x")],
  [-3, part(p256, "y")],
];
const rs256 = (key: KeyObject): Parts => [
  [1, 3],
  [3, -257],
  [-1, part(key, "n")],
  [-2, part(key, "e")],
];

const key = (parts: Parts, ...others: Parts): CoseKey => new Map([...parts, ...others]);

test.each([
  ["EdDSA", key(eddsa)],
  ["ES256", key(es256)],
  ["RS256", key(rs256(rsa(2_048)))],
])("a key of %s is usable", (_name, cose) => {
  expect(isUsableKey(cose)).toBe(true);
});

test.each([
  ["with an algorithm alone", key([[3, -7]])],
  ["without a part", key(es256, [-3, undefined])],
  ["with an empty part", key(es256, [-2, new Uint8Array()])],
  ["off its curve", key(es256, [-3, new Uint8Array(32).fill(1)])],
  ["of another curve", key(es256, [-1, 2], [-2, part(p384, "x")], [-3, part(p384, "y")])],
  ["of another kind than its algorithm", key(es256, [3, -257])],
  ["of Ed25519 that is too short", key(eddsa, [-2, new Uint8Array(31)])],
  ["of RSA with a byte", key(rs256(rsa(2_048)), [-1, new Uint8Array([1])])],
  ["of RSA with 1,024 bits", key(rs256(rsa(1_024)))],
])("a key %s is not", (_what, cose) => {
  expect(isUsableKey(cose)).toBe(false);
});
