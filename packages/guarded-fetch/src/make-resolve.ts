import { promises as dns } from 'node:dns';

/** All addresses of a name. */
export type Resolve = (host: string) => Promise<string[]>;

const timing = { timeout: 2_000, tries: 2 };
/** Said of a name, or of one kind of its addresses. */
const none = new Set(['ENODATA', 'ENOTFOUND']);

/** Resolve by DNS queries. The system's own lookup would block the threads that read and write files. */
export function makeResolve(servers?: readonly string[]): Resolve {
  const resolver = new dns.Resolver(timing);
  if (servers) resolver.setServers(servers);
  return async (host) => {
    const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (addresses.length > 0) return addresses;
    const reasons = answers.map((answer) => answer.status === 'rejected' && answer.reason);
    throw reasons.find(({ code }) => !none.has(code)) ?? reasons[0];
  };
}
