import { AppError } from '@uprez/contracts/errors/app-error';
import { refused, type Target } from './check-url.ts';
import { isPublicAddress } from './is-public-address.ts';
import { makeResolve, type Resolve } from './make-resolve.ts';

/** More than this many addresses are not tried. */
const mostTried = 4;

const resolveName = makeResolve();

/** The addresses of a URL, IPv4 first. All must be public. Throws `url_not_allowed` or `url_unreachable`. */
export async function findAddresses({ host, literal }: Target, resolve: Resolve = resolveName): Promise<string[]> {
  const addresses = literal ? [host] : await resolve(host);
  if (addresses.length === 0)
    throw new AppError('url_unreachable', {
      detail: "The server's host name couldn't be resolved.",
      cause: 'no address',
      param: 'imageUrl',
    });
  if (!addresses.every(isPublicAddress)) throw refused('The URL must be on the public internet.');
  return addresses.toSorted((a, b) => Number(a.includes(':')) - Number(b.includes(':'))).slice(0, mostTried);
}
