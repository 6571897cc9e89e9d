import { describeHashProblem } from "../../../src/passwords/modular-crypt-format.ts";
import { firebase } from "../../../src/passwords/schemes/firebase.ts";
import { testBounds } from "./expectations.ts";

const zeros = (length: number) => Buffer.alloc(length).toString("base64");
const firescrypt = (cost: string, hash = 64, key = hash, salt = 10, separator = 1) =>
  `$firescrypt$${cost}$${zeros(salt)}$${zeros(hash)}$${zeros(separator)}$${zeros(key)}`;
const fbscrypt = (cost: string) => `$fbscrypt$v=1,${cost},ss=${zeros(1)},sk=${zeros(64)}$${zeros(10)}$${zeros(64)}`;

test("$firescrypt$ and $fbscrypt$ hashes are parsed into the same parts", () => {
  const parsed = firebase.parse(firescrypt("ln=14,r=8,p=1"));
  expect(parsed).toEqual({
    ok: true,
    hash: {
      ...{ scheme: "Firebase", logN: 14, r: 8, p: 1 },
      ...{ salt: Buffer.alloc(10), separator: Buffer.alloc(1), signerKey: Buffer.alloc(64), hash: Buffer.alloc(64) },
    },
  });
  expect(firebase.parse(fbscrypt("n=14,r=8,p=1"))).toEqual(parsed);
});

testBounds([
  ["256 MiB", firescrypt("ln=18,r=8,p=1"), firescrypt("ln=19,r=8,p=1"), /128·N·r and 128·r·p of at most 268,435,456/],
  ["256 MiB in the other encoding", fbscrypt("n=18,r=8,p=1"), fbscrypt("n=18,r=9,p=1"), /128·N·r and/],
  ["N=2", firescrypt("ln=1,r=8,p=1"), firescrypt("ln=0,r=8,p=1"), /scrypt cost/],
  ["the shortest hash", firescrypt("ln=14,r=8,p=1", 16), firescrypt("ln=14,r=8,p=1", 15), /a hash of 16 to 64 bytes/],
  ["the longest hash", firescrypt("ln=14,r=8,p=1", 64), firescrypt("ln=14,r=8,p=1", 65), /a hash of 16 to 64 bytes/],
  ["a key as long", firescrypt("ln=14,r=8,p=1", 32), firescrypt("ln=14,r=8,p=1", 32, 33), /a signer key with as many/],
  ["the longest salt", firescrypt("ln=14,r=8,p=1", 64, 64, 128), firescrypt("ln=14,r=8,p=1", 64, 64, 129), /a salt of/],
  [
    "the longest separator",
    firescrypt("ln=14,r=8,p=1", 64, 64, 10, 128),
    firescrypt("ln=14,r=8,p=1", 64, 64, 10, 129),
    /a salt separator of/,
  ],
]);

test.each([
  ["another version", fbscrypt("n=14,r=8,p=1").replace("v=1", "v=2")],
  ["no signer key", firescrypt("ln=14,r=8,p=1").replace(/\$[^$]+$/, "")],
  ["too much padding", `${firescrypt("ln=14,r=8,p=1")}=`],
])("a hash with %s is rejected", (_what, value) => {
  expect(describeHashProblem(value)).toMatch(/^must /);
});
