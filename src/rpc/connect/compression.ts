import type { Compression } from "@connectrpc/connect/protocol";

/** The message compressions. Their package is loaded on first use; until then, only the names are needed. */
export const COMPRESSIONS: readonly Compression[] = [
  loadLater("gzip", async () => (await loadCompressions()).compressionGzip),
  loadLater("br", async () => (await loadCompressions()).compressionBrotli),
];

/** Loads the package, which takes 45 ms, mostly for Node's HTTP client. */
export function loadCompressions(): Promise<typeof import("@connectrpc/connect-node")> {
  return import("@connectrpc/connect-node");
}

function loadLater(name: string, load: () => Promise<Compression>): Compression {
  return {
    name,
    compress: async (bytes) => (await load()).compress(bytes),
    decompress: async (bytes, maxBytes) => (await load()).decompress(bytes, maxBytes),
  };
}
