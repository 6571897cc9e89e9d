import { isoCBOR } from "@simplewebauthn/server/helpers";
import { decodeCoseKey } from "../../src/passkeys/decode-cose-key.ts";

const encode = (map: Map<number, number | Uint8Array>) => Buffer.from(isoCBOR.encode(map));
const bytes = (length: number) => new Uint8Array(length).fill(7);

test.each<[string, Map<number, number | Uint8Array>]>([
  [
    "EC2",
    new Map<number, number | Uint8Array>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, bytes(32)],
      [-3, bytes(32)],
    ]),
  ],
  [
    "OKP",
    new Map<number, number | Uint8Array>([
      [1, 1],
      [3, -8],
      [-1, 6],
      [-2, bytes(32)],
    ]),
  ],
  [
    "RSA",
    new Map<number, number | Uint8Array>([
      [1, 3],
      [3, -257],
      [-1, bytes(512)],
      [-2, Uint8Array.of(1, 0, 1)],
    ]),
  ],
])("the key %s that another library encodes is decoded", (_name, map) => {
  const decoded = [...(decodeCoseKey(encode(map)) ?? [])].map(([label, value]) => [
    label,
    value instanceof Uint8Array ? Buffer.from(value).toString("hex") : value,
  ]);
  expect(decoded).toEqual(
    [...map].map(([label, value]) => [label, typeof value === "number" ? value : Buffer.from(value).toString("hex")]),
  );
});

const KEY = encode(
  new Map<number, number | Uint8Array>([
    [1, 2],
    [3, -7],
    [-2, bytes(32)],
  ]),
);

test("a key that is cut anywhere, or has bytes after it, is rejected", () => {
  expect(decodeCoseKey(KEY)).toBeDefined();
  for (let length = 0; length < KEY.length; length++) {
    expect([length, decodeCoseKey(KEY.subarray(0, length))]).toEqual([length, undefined]);
  }
  expect(decodeCoseKey(Buffer.concat([KEY, Buffer.alloc(1)]))).toBeUndefined();
});

test.each([
  ["a label twice", "a201020103"],
  ["a text as label", "a1617801"],
  ["a text as value", "a1016178"],
  ["a map as value", "a101a0"],
  ["a float", "a101fb3ff0000000000000"],
  ["an indefinite length", "bf0102ff"],
  ["a longer form of a number", "a1011801"],
  ["a longer form of a length", "a101590001aa"],
  ["a number of 4 bytes", "a1011a00010000"],
  ["an array", "820102"],
])("%s is rejected: %s", (_what, hex) => {
  expect(decodeCoseKey(Buffer.from(hex, "hex"))).toBeUndefined();
});
