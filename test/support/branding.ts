import { crc32, deflateSync } from "node:zlib";

/** A PNG file of one color. */
export function createPng({
  width = 2,
  height = 2,
  color = [255, 0, 0] as readonly number[],
  chunks = [] as Buffer[],
} = {}): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // Eight bits for each of red, green and blue.
  header.set([8, 2, 0, 0, 0], 8);
  const row = Buffer.from([0, ...Array.from({ length: width }, () => color).flat()]);
  const pixels = deflateSync(Buffer.concat(Array.from({ length: height }, () => row)));
  const signature = Buffer.from("89504e470d0a1a0a", "hex");
  return Buffer.concat([signature, toChunk("IHDR", header), ...chunks, toChunk("IDAT", pixels), toChunk("IEND")]);
}

/** A chunk of a PNG file. */
export function toChunk(type: string, data: Uint8Array = Buffer.alloc(0)): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const content = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(content));
  return Buffer.concat([length, content, checksum]);
}

export const PNG = createPng();

/** An SVG file of one color, and what an attacker adds to it. */
export function createSvg({ color = "#ff0000", attack = "" } = {}): Buffer {
  const namespaces = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"';
  const path = `<path d="M0 0h120v40H0z" fill="${color}"></path>`;
  return Buffer.from(`<svg ${namespaces} width="120" height="40">${path}${attack}</svg>`);
}

export const SVG = createSvg();
