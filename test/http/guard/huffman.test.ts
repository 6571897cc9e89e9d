import { describe, expect, test } from "@jest/globals";
import { decodeHuffman, HUFFMAN_ENDS } from "../../../src/http/guard/huffman.ts";
import { encodeHuffman } from "../../support/http2-frames.ts";
import { fetchOnce, recordClient } from "../../support/recorded-client.ts";

describe("the Huffman code of HPACK", () => {
  test("decodes the examples of RFC 7541, appendix C.4 and C.6", () => {
    for (const [hex, value] of [
      ["f1e3c2e5f23a6ba0ab90f4ff", "www.example.com"],
      ["a8eb10649cbf", "no-cache"],
      ["25a849e95ba97d7f", "custom-key"],
      ["25a849e95bb8e8b4bf", "custom-value"],
      ["d07abe941054d444a8200595040b8166e082a62d1bff", "Mon, 21 Oct 2013 20:13:21 GMT"],
    ] as const) {
      const bytes = Buffer.from(hex, "hex");
      expect(decodeHuffman(bytes, 0, bytes.length)).toBe(value);
      expect(encodeHuffman(value)).toEqual(bytes);
    }
  });

  test("is the code that nghttp2 writes, for every byte that Node's client sends", async () => {
    const values = Array.from({ length: 255 }, (_, index) => `${"e".repeat(16)}${String.fromCharCode(index + 1)}e`);
    // A different name for each value; a block must not hold more than nghttp2 sends.
    const { chunks } = await recordClient(async (client) => {
      client.on("error", () => {});
      for (const value of values) await fetchOnce(client, { "x-value": value }).catch(() => {});
    });
    const sent = Buffer.concat(chunks);
    const found = values.filter((value) => sent.includes(encodeHuffman(value)));
    expect(found).toEqual(values);
  });

  test("has 256 states of which eight may end a string", () => {
    expect(HUFFMAN_ENDS.length).toBe(256);
    expect(HUFFMAN_ENDS.reduce((sum, end) => sum + end, 0)).toBe(8);
  });

  test("every byte survives encoding and decoding", () => {
    const all = String.fromCharCode(...Array.from({ length: 256 }, (_, byte) => byte));
    const bytes = encodeHuffman(all);
    expect(decodeHuffman(bytes, 0, bytes.length)).toBe(all);
  });
});
