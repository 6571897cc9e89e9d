import ipaddr from "ipaddr.js";

/**
 * Identifies one client: by its IPv4 address, or the first 64 bits of its IPv6 address, because a household or server
 * usually gets a whole /64. A value that is not an address, which a proxy may pass on, is truncated to 64 characters.
 */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address.slice(0, 64);
  const parsed = ipaddr.process(address.split("%", 1)[0] ?? "");
  if (parsed.kind() === "ipv4") return parsed.toString();
  const [a, b, c, d] = (parsed as ipaddr.IPv6).parts.map((part) => part.toString(16));
  return `${a}:${b}:${c}:${d}::/64`;
}
