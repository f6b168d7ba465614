import { BlockList, isIP } from 'node:net';

const family = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** Whether an address is in one of these addresses or networks (CIDR). An empty list allows all. */
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
