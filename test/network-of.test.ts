import { maskedNetworkOf, networkOf, networksOf } from "../src/network-of.ts";

test.each([
  ["192.0.2.1", "192.0.2.1"],
  ["::ffff:192.0.2.1", "192.0.2.1"],
  ["::FFFF:c000:201", "192.0.2.1"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:DB8:1:2::6", "2001:db8:1:2::/64"],
  ["2001:0db8:0001:0002::", "2001:db8:1:2::/64"],
  ["2001:db8::6", "2001:db8:0:0::/64"],
  ["::1", "0:0:0:0::/64"],
  ["::", "0:0:0:0::/64"],
  ["1::2:3:4:5", "1:0:0:0::/64"],
  ["1:2:3:4:5:6:192.0.2.1", "1:2:3:4::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
])("the address %s counts as %s", (address, network) => {
  expect(networkOf(address)).toBe(network);
});

test.each(["", "unknown", "192.0.2.1:4711", "_hidden"])(
  "the text %j, which is no address, counts as itself",
  (text) => {
    expect(networkOf(text)).toBe(text);
  },
);

test("a long text that is not an address is truncated to 64 characters", () => {
  expect(networkOf("x".repeat(5_000))).toBe("x".repeat(64));
});

test("an IPv6 network is part of a /56 and a /48, and an IPv4 address stands for itself", () => {
  expect(networksOf("2001:db8:1:2f3::1")).toEqual(["2001:db8:1:2f3::/64", "2001:db8:1:200::/56", "2001:db8:1::/48"]);
  expect(networksOf("192.0.2.1")).toEqual(["192.0.2.1"]);
});

test.each([
  ["192.0.2.129", "192.0.2.0/24"],
  ["::ffff:192.0.2.1", "192.0.2.0/24"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1::/48"],
  ["fe80::1%eth0", "fe80::/48"],
  ["unknown", undefined],
])("the address %s is shortened to %s", (address, network) => {
  expect(maskedNetworkOf(address)).toBe(network);
});
