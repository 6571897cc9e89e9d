import { expect, test } from "@jest/globals";
import { isPublicAddress } from "../../src/outbound/public-address.ts";

test.each(["1.1.1.1", "8.8.8.8", "172.15.255.255", "172.32.0.0", "192.167.1.1", "223.255.255.255", "2606:4700::1111"])(
  "%s is public",
  (address) => expect(isPublicAddress(address)).toBe(true),
);

test.each([
  ["loopback", "127.0.0.1"],
  ["loopback", "127.255.255.254"],
  ["loopback", "::1"],
  ["this host", "0.0.0.0"],
  ["this host", "::"],
  ["private", "10.0.0.1"],
  ["private", "172.16.0.1"],
  ["private", "172.31.255.255"],
  ["private", "192.168.1.1"],
  ["private", "fd00:ec2::254"],
  ["shared by a carrier", "100.100.100.200"],
  ["link-local, with the metadata of clouds", "169.254.169.254"],
  ["link-local", "fe80::1"],
  ["link-local with a zone", "fe80::1%eth0"],
  ["site-local", "fec0::1"],
  ["the metadata of Azure", "168.63.129.16"],
  ["protocol assignments", "192.0.0.192"],
  ["documentation", "192.0.2.1"],
  ["documentation", "2001:db8::1"],
  ["documentation", "3fff::1"],
  ["benchmarks", "198.18.0.1"],
  ["multicast", "224.0.0.1"],
  ["multicast", "ff02::1"],
  ["broadcast", "255.255.255.255"],
  ["a mapped IPv4 address", "::ffff:127.0.0.1"],
  ["a mapped public IPv4 address", "::ffff:8.8.8.8"],
  ["a compatible IPv4 address", "::127.0.0.1"],
  ["NAT64", "64:ff9b::7f00:1"],
  ["local NAT64", "64:ff9b:1::7f00:1"],
  ["6to4", "2002:7f00:1::"],
  ["Teredo", "2001::1"],
  ["no address", "localhost"],
])("not public, because it is %s: %s", (_, address) => expect(isPublicAddress(address)).toBe(false));
