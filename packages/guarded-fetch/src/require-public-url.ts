import { checkUrl } from './check-url.ts';
import { describeFailure } from './describe-failure.ts';
import type { FetchNetwork } from './fetch-guarded.ts';
import { findAddresses } from './find-addresses.ts';
import { openDeadline, untilAborted } from './open-deadline.ts';

const lookupMs = 5_000;

/** Check a URL that will be requested later. Throws `url_not_allowed` or `url_unreachable`. */
export async function requirePublicUrl(text: string, network: FetchNetwork = {}): Promise<URL> {
  const target = checkUrl(text);
  const deadline = openDeadline(lookupMs);
  try {
    await untilAborted(findAddresses(target, network.resolve), deadline.signal);
    return target.url;
  } catch (error) {
    throw describeFailure(error);
  } finally {
    deadline.close();
  }
}
