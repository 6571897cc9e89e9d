import { generateKeyPairSync, type JsonWebKey } from "node:crypto";
import { parseKeySet, readPublishedKeys } from "../../src/fields/key-set.ts";

const ec = generateKeyPairSync("ec", { namedCurve: "P-256" });
const rsa = (modulusLength: number, publicExponent = 65_537) =>
  generateKeyPairSync("rsa", { modulusLength, publicExponent }).publicKey.export({ format: "jwk" });
const [EC, PRIVATE] = [ec.publicKey.export({ format: "jwk" }), ec.privateKey.export({ format: "jwk" })];
const P384 = generateKeyPairSync("ec", { namedCurve: "P-384" }).publicKey.export({ format: "jwk" });
const ED25519 = generateKeyPairSync("ed25519").publicKey.export({ format: "jwk" });
const RSA = rsa(2_048);

const toText = (...keys: unknown[]) => JSON.stringify({ keys });

test("a set keeps what describes its public keys, and nothing else", () => {
  const named = { ...EC, kid: "a", use: "sig", alg: "ES256", x5t: "x", key_ops: ["verify"] };
  expect(parseKeySet(toText(named, ED25519, RSA))).toEqual({ jwks: expect.any(String) });
  const { jwks } = parseKeySet(toText(named, ED25519, RSA)) as { jwks: string };
  expect(JSON.parse(jwks)).toEqual({ keys: [{ ...EC, kid: "a", use: "sig", alg: "ES256" }, ED25519, RSA] });
});

const MANY = "must have 1 to 10 keys";
const SECRET = "must be absent: only public keys are allowed";

test.each<[string, string, string]>([
  ["no JSON", "{", 'must be a JSON Web Key Set such as {"keys":[…]}'],
  ["null", "null", 'must be a JSON Web Key Set such as {"keys":[…]}'],
  ["a key alone", JSON.stringify(EC), 'must be a JSON Web Key Set such as {"keys":[…]}'],
  ["no key", toText(), MANY],
  ["too many keys", toText(...Array<JsonWebKey>(11).fill(EC)), MANY],
  ["a text instead of a key", toText("x"), "keys[0] must be an object"],
  ["a private key", toText(EC, PRIVATE), `keys[1].d ${SECRET}`],
  ["a private member without a value", toText({ ...EC, d: null }), `keys[0].d ${SECRET}`],
  ["a symmetric key", toText({ kty: "oct", k: "c2VjcmV0" }), `keys[0].k ${SECRET}`],
  [
    "a symmetric key without a value",
    toText({ kty: "oct" }),
    "keys[0].kty must be RSA, EC or OKP: only public keys are allowed",
  ],
  ["an unknown type", toText({ kty: "AKP" }), "keys[0].kty must be RSA, EC or OKP"],
  ["a type that is not text", toText({ ...EC, kty: ["EC"] }), "keys[0].kty must be RSA, EC or OKP"],
  ["another curve", toText(P384), "keys[0].crv must be P-256"],
  ["a missing member", toText({ ...EC, y: undefined }), "keys[0].y must be a string"],
  ["a point that is not on the curve", toText({ ...EC, y: EC.x }), "keys[0] is not a valid EC key"],
  ["a short modulus", toText(rsa(1_024)), "keys[0] must have 2048 to 4096 bits"],
  ["a large exponent", toText({ ...RSA, e: RSA.n }), "keys[0] must have an exponent of at most 32 bits"],
  ["a key for encryption", toText({ ...RSA, use: "enc" }), "keys[0].use must be sig"],
  ["another algorithm", toText({ ...RSA, alg: "RS1" }), "keys[0].alg must be RS256 or PS256"],
  ["an id that is not text", toText({ ...RSA, kid: 1 }), "keys[0].kid must be a string of 1 to 200 characters"],
])("a set is rejected: %s", (_title, text, problem) => {
  expect(parseKeySet(text)).toEqual({ problem });
});

test("of a published set, keys for other purposes are ignored, and a private key is an error", () => {
  const others = [P384, { kty: "AKP" }, { ...RSA, use: "enc", alg: "RSA-OAEP" }, null];
  expect(readPublishedKeys(toText(...others, EC))).toEqual([EC]);
  expect(readPublishedKeys(toText(...Array<JsonWebKey>(11).fill(EC)))).toHaveLength(10);
  expect(() => readPublishedKeys(toText(EC, PRIVATE))).toThrow(`keys[1].d ${SECRET}`);
  expect(() => readPublishedKeys("<html>")).toThrow("the response is not a JSON Web Key Set");
  expect(() => readPublishedKeys(toText(...Array<JsonWebKey>(51).fill(EC)))).toThrow("has more than 50 keys");
});
