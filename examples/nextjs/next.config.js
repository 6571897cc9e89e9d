/** Pages of other applications must not be able to embed these. */
const HEADERS = [{ key: "x-frame-options", value: "DENY" }];

export default {
  headers: async () => [{ source: "/:path*", headers: HEADERS }],
};
