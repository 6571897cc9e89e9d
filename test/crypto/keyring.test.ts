import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createKeyring, type Place, type Sealed } from "../../src/crypto/keyring.ts";
import { loadMasterKey } from "../../src/crypto/master-key.ts";

const [KEY, OLD_KEY, OLDER_KEY] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2), Buffer.alloc(32, 3)];
const PLACE: Place = { table: "idps", column: "client_secret", rowId: "01a1fe2a-bf96-7fcb-9fb0-7912da3b4f57" };

describe("a sealed text", () => {
  test.each(["s", "correct horse", "", "ä😀\0\n", "x".repeat(100_000)])("opens in its place", (text) => {
    const keyring = createKeyring([KEY]);
    const sealed = keyring.seal(PLACE, text);
    expect(keyring.open(PLACE, sealed)).toBe(text);
    expect(createKeyring([KEY]).open(PLACE, sealed)).toBe(text);
  });

  test("reveals neither the text nor whether two texts are equal", () => {
    const keyring = createKeyring([KEY]);
    const [first, second] = [keyring.seal(PLACE, "client secret"), keyring.seal(PLACE, "client secret")];
    expect(first.ciphertext.equals(second.ciphertext)).toBe(false);
    expect(first.ciphertext.subarray(0, 12).equals(second.ciphertext.subarray(0, 12))).toBe(false);
    expect(first.ciphertext.includes("client secret")).toBe(false);
    expect(first.ciphertext).toHaveLength(12 + "client secret".length + 16);
  });

  test.each<[string, Partial<Place>]>([
    ["another row", { rowId: "01a1fe2a-bf96-7fcb-9fb0-7912da3b4f58" }],
    ["another column", { column: "client_id" }],
    ["another table", { table: "users" }],
    ["a place whose parts are the same when they are joined", { table: "idpsclient", column: "_secret" }],
  ])("does not open in %s", (_where, elsewhere) => {
    const keyring = createKeyring([KEY]);
    const sealed = keyring.seal(PLACE, "client secret");
    expect(() => keyring.open({ ...PLACE, ...elsewhere }, sealed)).toThrow();
  });

  test("cannot be opened if any byte is changed or missing", () => {
    const keyring = createKeyring([KEY]);
    const { keyId, ciphertext } = keyring.seal(PLACE, "client secret");
    for (let at = 0; at < ciphertext.length; at++) {
      const changed = Buffer.from(ciphertext);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(() => keyring.open(PLACE, { keyId, ciphertext: changed })).toThrow();
      expect(() => keyring.open(PLACE, { keyId, ciphertext: ciphertext.subarray(0, at) })).toThrow();
    }
    expect(() => keyring.open(PLACE, { keyId, ciphertext: Buffer.concat([ciphertext, Buffer.alloc(1)]) })).toThrow();
  });
});

describe("a keyring", () => {
  test("encrypts with the current key, and decrypts with older ones", () => {
    const sealed = [OLDER_KEY, OLD_KEY, KEY].map((key) => createKeyring([key]).seal(PLACE, "client secret"));
    const keyring = createKeyring([KEY, OLD_KEY, OLDER_KEY]);
    expect(sealed.map((each) => keyring.open(PLACE, each))).toEqual(Array(3).fill("client secret"));
    expect(keyring.seal(PLACE, "x").keyId).toBe(keyring.currentKeyId);
    expect(keyring.currentKeyId).toBe(createKeyring([KEY]).currentKeyId);
    expect([...keyring.keyIds].sort()).toEqual(sealed.map(({ keyId }) => keyId).sort());
  });

  test("cannot open a text of a key that it lacks, and reports the id of the key", () => {
    const sealed = createKeyring([OLD_KEY]).seal(PLACE, "client secret");
    const keyring = createKeyring([KEY]);
    expect(() => keyring.open(PLACE, sealed)).toThrow(`no master key has the id ${sealed.keyId}`);
    const underWrongId: Sealed = { ...sealed, keyId: keyring.currentKeyId };
    expect(() => keyring.open(PLACE, underWrongId)).toThrow();
  });

  test("gives each key a stable id that reveals nothing about the key", () => {
    const ids = [KEY, OLD_KEY, OLDER_KEY].map((key) => createKeyring([key]).currentKeyId);
    expect(new Set(ids).size).toBe(3);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{16}$/);
    // Stored with every ciphertext: if it changed, nothing could be decrypted.
    expect(ids[0]).toBe("4bb917a3eaee88af");
    expect(KEY.toString("hex")).not.toContain(ids[0]);
  });

  test.each([0, 16, 31, 33])("rejects a key of %d bytes", (bytes) => {
    expect(() => createKeyring([Buffer.alloc(bytes)])).toThrow("a master key must have 32 bytes");
  });
});

describe("the digest of a code", () => {
  test("is the same for the same code and key, even if the key is an older one", () => {
    const before = createKeyring([OLD_KEY]).digest("123456");
    const keyring = createKeyring([KEY, OLD_KEY]);
    expect(keyring.digest("123456", before.keyId)).toEqual(before);
    expect(keyring.digest("123456").keyId).toBe(keyring.currentKeyId);
    expect(keyring.digest("123456").mac.equals(before.mac)).toBe(false);
    expect(keyring.digest("123457", before.keyId).mac.equals(before.mac)).toBe(false);
    expect(before.mac).toHaveLength(32);
  });

  test("cannot be computed with a key that is not in the ring", () => {
    const { keyId } = createKeyring([OLD_KEY]).digest("123456");
    expect(() => createKeyring([KEY]).digest("123456", keyId)).toThrow(`no master key has the id ${keyId}`);
  });
});

describe("the master key in a folder", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "signet-key-"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  test("is created once from 32 random bytes, accessible only to its owner", () => {
    const key = loadMasterKey(folder);
    expect(key).toHaveLength(32);
    expect(loadMasterKey(folder).equals(key)).toBe(true);
    expect(readdirSync(folder)).toEqual(["master.key"]);
    expect(statSync(join(folder, "master.key")).mode & 0o777).toBe(0o600);
    const other = join(folder, "other");
    mkdirSync(other);
    expect(loadMasterKey(other).equals(key)).toBe(false);
  });

  test.each(["", "geheim", `${"A".repeat(40)}\n`])("is rejected if the file contains %j", (text) => {
    writeFileSync(join(folder, "master.key"), text);
    expect(() => loadMasterKey(folder)).toThrow(
      `${join(folder, "master.key")} is invalid: expected 32 bytes in base64`,
    );
    expect(readFileSync(join(folder, "master.key"), "utf8")).toBe(text);
  });

  test("is the same for all processes that create it concurrently", async () => {
    const module = new URL("../../src/crypto/master-key.ts", import.meta.url).href;
    // Each reports that it is ready, and asks when it receives the signal.
    const script = `
      import { loadMasterKey } from ${JSON.stringify(module)};
      process.stdout.write("ready\\n");
      process.stdin.once("data", () => {
        process.stdout.write(loadMasterKey(process.argv[1]).toString("hex"));
        process.exit();
      });`;
    const children = Array.from({ length: 6 }, () =>
      spawn(process.execPath, ["--input-type=module", "--eval", script, folder], { env: {} }),
    );
    try {
      const said = children.map(({ stdout }) => {
        let text = "";
        stdout.setEncoding("utf8").on("data", (part) => {
          text += part;
        });
        return () => text;
      });
      const closed = children.map((child) => once(child, "close"));
      await Promise.all(children.map(({ stdout }) => once(stdout, "data")));
      for (const { stdin } of children) stdin.write("go\n");
      await Promise.all(closed);
      const keys = said.map((text) => text().replace("ready\n", ""));
      expect(keys[0]).toMatch(/^[0-9a-f]{64}$/);
      expect(new Set(keys).size).toBe(1);
      expect(loadMasterKey(folder).toString("hex")).toBe(keys[0]);
      expect(readdirSync(folder)).toEqual(["master.key"]);
    } finally {
      for (const child of children) child.kill("SIGKILL");
    }
  });
});
