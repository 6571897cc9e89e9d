import { describe, expect, test } from "@jest/globals";
import { HeaderBlockReader } from "../../../src/http/guard/hpack.ts";
import { type Indexing, indexed, integer, literal, request, text } from "../../support/http2-frames.ts";
import { fetchOnce, recordClient } from "../../support/recorded-client.ts";

const INDEXINGS: Indexing[] = ["incremental", "without", "never"];

function read(reader: HeaderBlockReader, ...parts: Buffer[]): boolean {
  const block = Buffer.concat(parts);
  return reader.read(block, 0, block.length);
}

function malformedOf(...parts: Buffer[]): string | undefined {
  const reader = new HeaderBlockReader();
  expect(read(reader, request(...parts))).toBe(true);
  return reader.malformed;
}

describe.each(INDEXINGS)("a literal field %s indexing", (indexing) => {
  describe.each([false, true])("Huffman-coded: %s", (huffman) => {
    test("is malformed if its value contains a control character other than HTAB", () => {
      for (let byte = 0; byte < 256; byte++) {
        const value = `a${String.fromCharCode(byte)}b`;
        const isControl = (byte < 0x20 && byte !== 0x09) || byte === 0x7f;
        const expected = isControl ? "x-service-orgid" : undefined;
        expect([byte, malformedOf(literal("x-service-orgid", value, { indexing, huffman }))]).toEqual([byte, expected]);
      }
    });

    test("is malformed if its value starts or ends with a forbidden byte, but not with white space", () => {
      for (const value of ["org\n", "\0org", "org\x01", "org\x7f", "\r"]) {
        expect(malformedOf(literal("x-service-orgid", value, { indexing, huffman }))).toBe("x-service-orgid");
      }
      for (const value of [" org", "org\t", "", " "]) {
        expect(malformedOf(literal("x-service-orgid", value, { indexing, huffman }))).toBeUndefined();
      }
    });

    test("is malformed if its name is not a lower-case token", () => {
      for (let byte = 0; byte < 256; byte++) {
        const name = `x${String.fromCharCode(byte)}y`;
        const expected = /^x[a-z0-9!#$%&'*+.^_`|~-]y$/.test(name) ? undefined : name;
        expect([byte, malformedOf(literal(name, "v", { indexing, huffman }))]).toEqual([byte, expected]);
      }
    });

    test("is malformed if its name is empty or has a colon after the first character", () => {
      for (const name of ["", ":", "a:b", "::path", "x:"]) {
        expect(malformedOf(literal(name, "v", { indexing, huffman }))).toBe(name);
      }
      expect(malformedOf(literal(":protocol", "websocket", { indexing, huffman }))).toBeUndefined();
    });

    test("is malformed because of its value even if its name is an index into the static table", () => {
      expect(malformedOf(literal(23, "Bearer x\n", { indexing, huffman }))).toBe("authorization");
    });
  });
});

describe("a malformed entry of the dynamic table", () => {
  test("makes only the requests that refer to it malformed", () => {
    const reader = new HeaderBlockReader();
    read(reader, request(literal("x-service-orgid", "a\n", { indexing: "incremental" })));
    expect(reader.malformed).toBe("x-service-orgid");
    read(reader, request());
    expect(reader.malformed).toBeUndefined();
    read(reader, request(indexed(62)));
    expect(reader.malformed).toBe("x-service-orgid");
    read(reader, request(literal(62, "b")));
    expect(reader.malformed).toBeUndefined();
  });

  test("makes a field that takes a forbidden name from it malformed", () => {
    const reader = new HeaderBlockReader();
    read(reader, request(literal("X-Upper", "a", { indexing: "incremental" })));
    read(reader, request(literal(62, "b")));
    expect(reader.malformed).toBe("X-Upper");
  });

  test("has no effect after its eviction", () => {
    const reader = new HeaderBlockReader();
    read(reader, request(literal("x-a", "\n", { indexing: "incremental" })));
    for (let index = 0; index < 3; index++) {
      expect(read(reader, literal("x-b", "v".repeat(1_800), { indexing: "incremental" }), indexed(62))).toBe(true);
    }
    expect(read(reader, indexed(63))).toBe(true);
    expect(reader.malformed).toBeUndefined();
    expect(read(reader, indexed(64))).toBe(false);
  });
});

describe("the reader rejects", () => {
  test.each([
    ["index 0", Buffer.of(0x80)],
    ["an index beyond the tables", indexed(62)],
    ["the name of an entry that does not exist", literal(62, "v")],
    ["a truncated field", literal("x-name", "value").subarray(0, -1)],
    ["a truncated integer", Buffer.of(0xff, 0x80)],
    ["an integer that is too long", Buffer.of(0xff, 0x80, 0x80, 0x80, 0x80, 0x01)],
    ["a name without a value", Buffer.concat([Buffer.of(0), text("x-name")])],
    ["Huffman padding of eight bits", Buffer.of(0, 0x81, 0x1f, 0x82, 0x1f, 0xff)],
    ["Huffman padding that is not ones", Buffer.of(0, 0x81, 0x18, 0)],
    ["the Huffman code of EOS", Buffer.of(0, 1, 0x61, 0x84, 0xff, 0xff, 0xff, 0xff)],
    ["a table size over 4096", integer(0x20, 0x1f, 4_097)],
    ["a table size after a field", Buffer.concat([indexed(2), integer(0x20, 0x1f, 0)])],
  ])("%s", (_name, block) => {
    expect(read(new HeaderBlockReader(), block)).toBe(false);
  });
});

test("a smaller table evicts entries, and a larger one does not bring them back", () => {
  const reader = new HeaderBlockReader();
  read(reader, literal("x-a", "1", { indexing: "incremental" }), literal("x-b", "2", { indexing: "incremental" }));
  expect(read(reader, integer(0x20, 0x1f, 40), indexed(62))).toBe(true);
  expect(read(reader, integer(0x20, 0x1f, 4_096), indexed(63))).toBe(false);
});

test("an entry larger than the table empties it", () => {
  const reader = new HeaderBlockReader();
  read(reader, literal("x-a", "1", { indexing: "incremental" }));
  read(reader, literal("x-b", "v".repeat(4_100), { indexing: "incremental" }));
  expect(read(reader, indexed(62))).toBe(false);
});

test("the table holds at most 128 entries, and reuses their slots", () => {
  const reader = new HeaderBlockReader();
  for (let index = 0; index < 1_000; index++) {
    const last = index % 2 === 0 ? "1" : "22";
    expect(read(reader, literal("x", last, { indexing: "incremental" }), indexed(62))).toBe(true);
    expect(reader.listBytes).toBe(2 * (32 + 1 + last.length));
  }
});

test("the reader counts the fields and bytes of 300 requests, with evictions, as Node's server does", async () => {
  const { chunks, requests } = await recordClient(async (client) => {
    for (let index = 0; index < 300; index++) {
      await fetchOnce(client, {
        ":path": `/path/${index}`,
        "x-mostly-same": `${index % 7}`.repeat(20 + (index % 5) * 90),
        "x-service-orgid": "00000000-0000-7000-8000-000000000001",
        [`x-new-${index % 60}`]: String.fromCharCode(0xc0 + (index % 60)).repeat(index % 50),
        authorization: `Bearer ${index}`,
      });
    }
  });
  const reader = new HeaderBlockReader();
  const measured: [number, number][] = [];
  const bytes = Buffer.concat(chunks);
  for (let at = 24; at < bytes.length; at += 9 + bytes.readUIntBE(at, 3)) {
    if (bytes[at + 3] !== 1) continue;
    // If Node's client sends a priority (flag 0x20), it has five bytes.
    const start = at + 9 + ((bytes[at + 4] ?? 0) & 0x20 ? 5 : 0);
    expect(reader.read(bytes, start, at + 9 + bytes.readUIntBE(at, 3))).toBe(true);
    expect(reader.malformed).toBeUndefined();
    measured.push([reader.fields, reader.listBytes]);
  }
  const size = (raw: string[]) => raw.reduce((sum, part) => sum + Buffer.byteLength(part, "latin1"), 16 * raw.length);
  expect(measured).toEqual(requests.map((raw) => [raw.length / 2, size(raw)]));
  expect(measured.length).toBe(300);
});
