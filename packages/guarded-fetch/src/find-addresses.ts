import { promises as dns } from 'node:dns';
import { AppError } from '@uprez/contracts/app-error';
import { refused, type Target } from './check-url.ts';
import { isPublicAddress } from './is-public-address.ts';

/** All addresses of a name. */
export type Resolve = (host: string) => Promise<string[]>;

/** More than this many addresses are not tried. */
const mostTried = 4;

const resolveName: Resolve = async (host) => (await dns.lookup(host, { all: true })).map(({ address }) => address);

/**
 * The addresses behind a URL, IPv4 first (many servers have no IPv6). One that is not public refuses them all: a name
 * that mixes both is a trap. Throws `url_not_allowed`, or `url_unreachable` when there is no such name.
 */
export async function findAddresses({ host, literal }: Target, resolve: Resolve = resolveName): Promise<string[]> {
  const addresses = literal ? [host] : await resolve(host);
  if (addresses.length === 0) throw new AppError('url_unreachable', { cause: 'no address', param: 'imageUrl' });
  if (!addresses.every(isPublicAddress)) throw refused('This address does not lie on the public internet.');
  return addresses.toSorted((a, b) => Number(a.includes(':')) - Number(b.includes(':'))).slice(0, mostTried);
}
