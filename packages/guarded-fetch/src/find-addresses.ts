import { promises as dns } from 'node:dns';
import { checkUrl, isPublicAddress, notPublic, type Target } from './check-url.ts';
import { describeFailure, unreachable } from './describe-failure.ts';
import { openDeadline, untilAborted } from './open-deadline.ts';

export type Resolve = (host: string) => Promise<string[]>;

const timing = { timeout: 2_000, tries: 2 };
/** Error codes for a name that has no records, or none for one IP version. */
const noRecordCodes = new Set(['ENODATA', 'ENOTFOUND']);

/**
 * Creates a function that resolves host names by DNS queries. The system's own lookup would block the thread pool,
 * which also serves file access.
 */
export function makeResolve(servers?: readonly string[]): Resolve {
  const resolver = new dns.Resolver(timing);
  if (servers) resolver.setServers(servers);
  return async (host) => {
    const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (addresses.length > 0) return addresses;
    const reasons = answers.map((answer) => answer.status === 'rejected' && answer.reason);
    throw reasons.find(({ code }) => !noRecordCodes.has(code)) ?? reasons[0];
  };
}

const maxAddresses = 4;

const resolveName = makeResolve();

/**
 * Returns the IP addresses of a URL, IPv4 first. All must be public, except for allowed loopback URLs. Throws
 * `url_not_allowed` or `url_unreachable`.
 */
export async function findAddresses(
  { host, literal, isLoopback }: Target,
  resolve: Resolve = resolveName,
): Promise<string[]> {
  if (isLoopback) return literal ? [host] : ['127.0.0.1', '::1'];
  const addresses = literal ? [host] : await resolve(host);
  if (addresses.length === 0) throw unreachable("The server's host name couldn't be resolved.", 'no address');
  if (!addresses.every(isPublicAddress)) throw notPublic();
  return addresses.toSorted((a, b) => Number(a.includes(':')) - Number(b.includes(':'))).slice(0, maxAddresses);
}

const lookupMs = 5_000;

type Checking = { resolve?: Resolve | undefined; allowsLoopback?: boolean };

/** Checks a URL that will be requested later. Throws `url_not_allowed` or `url_unreachable`. */
export async function requirePublicUrl(text: string, { resolve, allowsLoopback }: Checking = {}): Promise<URL> {
  const target = checkUrl(text, { allowsLoopback });
  const deadline = openDeadline(lookupMs);
  try {
    await untilAborted(findAddresses(target, resolve), deadline.signal);
    return target.url;
  } catch (error) {
    throw describeFailure(error);
  } finally {
    deadline.close();
  }
}
