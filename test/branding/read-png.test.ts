import { readPng } from "../../src/branding/read-png.ts";
import { createPng, toChunk } from "../support/branding.ts";

const PNG = createPng();

test("an image is kept as it is", () => {
  expect(readPng(PNG)).toEqual({ data: PNG });
});

test("comments, places, animations and what follows the image are dropped", () => {
  const chunks = [
    toChunk("tEXt", Buffer.from("Comment\0<script>alert(1)</script>")),
    toChunk("eXIf", Buffer.from("a place")),
    toChunk("acTL", Buffer.alloc(8)),
  ];
  const file = Buffer.concat([createPng({ chunks }), Buffer.from("<script>alert(1)</script>")]);
  expect(readPng(file)).toEqual({ data: PNG });
});

test.each([
  ["an SVG file with a script", '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
  ["an HTML page", "<!doctype html><script>alert(1)</script>"],
  ["a JPEG file", "\xff\xd8\xff\xe0"],
  ["nothing", ""],
])("%s is not a PNG file", (_, text) => {
  const problem = "must be a PNG or SVG file";
  expect(readPng(Buffer.from(text, "latin1"))).toEqual({ problem });
});

test("an image without a byte, or with another one, is damaged", () => {
  for (const [at] of PNG.entries()) {
    const changed = Buffer.from(PNG);
    changed.writeUInt8(PNG.readUInt8(at) ^ 1, at);
    expect([at, readPng(changed)]).toEqual([at, { problem: expect.any(String) }]);
    expect([at, readPng(PNG.subarray(0, at))]).toEqual([at, { problem: expect.any(String) }]);
  }
});

test("an image that would need more memory than its size suggests is refused", () => {
  expect(readPng(createPng({ width: 1, height: 2_001 }))).toEqual({
    problem: "must be at most 2000 pixels wide and high, is 1 × 2001",
  });
});

test("an image with more chunks than any encoder writes is refused, whatever follows them", () => {
  const ofChunks = (count: number) => createPng({ chunks: Array.from({ length: count - 3 }, () => toChunk("IDAT")) });
  expect(readPng(ofChunks(2_000))).toEqual({ data: ofChunks(2_000) });
  const problem = "must have at most 2000 chunks";
  const file = ofChunks(2_001);
  const endless = Buffer.concat([file.subarray(0, file.length - 12), toChunk("IDAT"), Buffer.alloc(12)]);
  for (const refused of [file, endless]) expect(readPng(refused)).toEqual({ problem });
});
