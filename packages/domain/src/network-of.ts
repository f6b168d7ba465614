import ipaddr from 'ipaddr.js';

/**
 * The network of an IP address that one person may have all of: /24 of IPv4, also in IPv6 form, and /56 of IPv6. An unknown
 * address is its own network.
 */
export function networkOf(address: string): string {
  const plain = address.replace(/%.*$/, '');
  if (!ipaddr.isValid(plain)) return address;
  const parsed = ipaddr.process(plain);
  const [kind, bits] = parsed.kind() === 'ipv4' ? [ipaddr.IPv4, 24] : [ipaddr.IPv6, 56];
  return `${kind.networkAddressFromCIDR(`${parsed}/${bits}`)}/${bits}`;
}
