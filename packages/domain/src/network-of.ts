/**
 * The network of an IP address that one person may have all of: /24 of IPv4, also in IPv6 form, and /56 of IPv6. An unknown
 * address is its own network.
 */
export function networkOf(address: string): string {
  const [, v4] = /^(?:::ffff:)?(\d+\.\d+\.\d+)\.\d+$/i.exec(address) ?? [];
  if (v4 !== undefined) return `${v4}.0/24`;
  const groups = expandIpv6(address.replace(/%.*$/, ''));
  if (!groups) return address;
  const [a, b, c, d = 0] = groups;
  return `${[a, b, c, d & 0xff00].map((group) => Number(group).toString(16)).join(':')}::/56`;
}

/** The eight groups of an IPv6 address. Undefined if it isn't one. */
function expandIpv6(address: string): number[] | undefined {
  // URLs have one form for each address, without an IPv4 part.
  const plain = URL.parse(`http://[${address}]`)?.hostname.slice(1, -1);
  if (plain === undefined) return undefined;
  const [head = [], tail = []] = plain.split('::').map((part) => part.split(':').filter(Boolean));
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => '0');
  return [...head, ...zeros, ...tail].map((group) => Number.parseInt(group, 16));
}
