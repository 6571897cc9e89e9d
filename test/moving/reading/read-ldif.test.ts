import type { InputRecord } from "../../../src/moving/reading/input-record.ts";
import { readLdif } from "../../../src/moving/reading/read-ldif.ts";

async function read(text: string | Buffer, size = 7): Promise<InputRecord[]> {
  const bytes = Buffer.from(text as string);
  async function* chunks() {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  }
  const records: InputRecord[] = [];
  for await (const some of readLdif("x.ldif", chunks())) records.push(...some);
  return records;
}

/** After the examples of RFC 2849. */
const LDIF = `version: 1
# A comment
  that goes on
dn: cn=Barbara Jensen,ou=Product Development,dc=air
 ius,dc=com
objectclass: top
objectclass: person
cn;lang-en: Barbara Jensen
sn:: SsO2cmdlbnNlbg==
# another one
description:Babs
jpegphoto:: /9j/4A==
photo:< file:///usr/local/directory/photos/fiona.jpg


dn: cn=Second
`;

test("entries with folded lines, comments, base64, options and lists", async () => {
  const entries = [
    {
      file: "x.ldif",
      line: 1,
      value: {
        dn: "cn=Barbara Jensen,ou=Product Development,dc=airius,dc=com",
        objectclass: ["top", "person"],
        cn: "Barbara Jensen",
        sn: "Jörgensen",
        description: "Babs",
        jpegphoto: "/9j/4A==",
      },
    },
    { file: "x.ldif", line: 16, value: { dn: "cn=Second" } },
  ];
  expect(await read(LDIF)).toEqual(entries);
  expect(await read(LDIF.replaceAll("\n", "\r\n"), 1_000)).toEqual(entries);
});

test("a broken entry does not take others with it", async () => {
  const long = `dn: a\n${` ${"x".repeat(1_000_000)}\n`.repeat(5)}\n`;
  const latin1 = Buffer.concat([Buffer.from("dn: "), Buffer.of(0xe9), Buffer.from("\n\n")]);
  const text = Buffer.concat([Buffer.from(`${long} x\n\ndn\n\ndn:: !\n\n`), latin1, Buffer.from("dn: last")]);
  expect((await read(text, 65_536)).map(({ problem, value }) => problem ?? value)).toEqual([
    "has more than 4 MiB",
    "begins with a continuation",
    "is not valid LDIF",
    "is not valid LDIF",
    expect.stringContaining("is not valid UTF-8"),
    { dn: "last" },
  ]);
});
