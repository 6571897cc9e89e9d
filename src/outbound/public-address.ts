import { BlockList, isIP } from "node:net";

/**
 * Whether an IP address belongs to the public Internet: not loopback, private, link-local, multicast, or otherwise
 * special (IANA registries of special-purpose addresses, RFC 6890).
 *
 * Of IPv6, only global unicast addresses (2000::/3) are public. Others, such as mapped and NAT64 addresses, can contain
 * an IPv4 address.
 */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !SPECIAL_IPV4.check(address);
    case 6:
      return !address.includes("%") && GLOBAL_UNICAST.check(address, "ipv6") && !SPECIAL_IPV6.check(address, "ipv6");
    default:
      return false;
  }
}

const SPECIAL_IPV4 = createList("ipv4", [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
  // Azure's metadata service, which has a public address.
  "168.63.129.16/32",
]);

const GLOBAL_UNICAST = createList("ipv6", ["2000::/3"]);

/** Protocol assignments (including Teredo), documentation, 6to4. */
const SPECIAL_IPV6 = createList("ipv6", ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"]);

function createList(family: "ipv4" | "ipv6", networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = "", prefix] = network.split("/");
    list.addSubnet(address, Number(prefix), family);
  }
  return list;
}
