import { BlockList, isIP } from 'node:net';

const family = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** Whether one of these addresses or networks (`203.0.113.0/24`, `2001:db8::/32`) holds an address; an empty list holds all. */
export function mayUseFrom(networks: readonly string[], address: string): boolean {
  if (networks.length === 0) return true;
  // A link-local address may name its interface.
  const [plain = ''] = address.split('%');
  if (isIP(plain) === 0) return false;
  const list = new BlockList();
  for (const network of networks) {
    const [start = '', length] = network.split('/');
    if (length === undefined) list.addAddress(start, family(start));
    else list.addSubnet(start, Number(length), family(start));
  }
  return list.check(plain, family(plain));
}
