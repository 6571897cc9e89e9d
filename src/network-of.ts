import ipaddr from "ipaddr.js";

/**
 * Identifies one client: by its IPv4 address, or the first 64 bits of its IPv6 address, because a household or server
 * usually gets a whole /64. A value that is not an address, which a proxy may pass on, is truncated to 64 characters.
 */
export function networkOf(address: string): string {
  return networksOf(address)[0];
}

/**
 * The network of a client, and the wider ones that it may belong to as a whole, narrowest first. For IPv6, /56 and /48,
 * which providers assign to a single customer (RFC 6177). For IPv4, only the address, because customers get single ones.
 */
export function networksOf(address: string): readonly [network: string, ...wider: string[]] {
  if (!ipaddr.isValid(address)) return [address.slice(0, 64)];
  const parsed = ipaddr.process(address.split("%", 1)[0] ?? "");
  if (parsed.kind() === "ipv4") return [parsed.toString()];
  const [a = 0, b = 0, c = 0, d = 0] = (parsed as ipaddr.IPv6).parts;
  const [first, second, third, fourth, start] = [a, b, c, d, d & 0xff00].map((part) => part.toString(16));
  return [
    `${first}:${second}:${third}:${fourth}::/64`,
    `${first}:${second}:${third}:${start}::/56`,
    `${first}:${second}:${third}::/48`,
  ];
}

/**
 * The network of an address without the part that identifies a client: the IPv4 /24 or the IPv6 /48. Undefined for a
 * value that is not an address.
 */
export function maskedNetworkOf(address: string): string | undefined {
  if (!ipaddr.isValid(address)) return undefined;
  const parsed = ipaddr.process(address.split("%", 1)[0] ?? "");
  const bytes = parsed.toByteArray();
  const prefix = bytes.length === 4 ? 24 : 48;
  const kept = bytes.map((byte, index) => (index < prefix / 8 ? byte : 0));
  return `${ipaddr.fromByteArray(kept)}/${prefix}`;
}
