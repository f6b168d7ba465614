import { AppError } from '@uprez/contracts/errors/app-error';
import { limits } from '@uprez/contracts/policy/limits';
import { formatWait } from '@uprez/contracts/texts/format';
import { type FairQueue, makeFairQueue, QueueFullError } from '@uprez/domain/make-fair-queue';

const { networkRequests, networkBurst, networkWaitMs } = limits;

/** The time for which a request keeps its turn. */
const turnMs = (1_000 * networkBurst) / networkRequests;

/** A request, by its IP address and the prefix of it. */
type Sender = { prefix: string; address: string };

/**
 * Opens the pace of each IP prefix. One thread answers everybody, and a prefix has any number of addresses with a rate limit
 * each, so its requests wait for their turns after a burst. The next turn is that of the address which had the fewest recently.
 * Refused requests wait, too: at once, they would invite more.
 */
export function openNetworkPace({ scale }: { scale: number }) {
  const slots = Math.max(2, Math.floor(networkBurst * scale));
  const maxWaiting = Math.floor((networkRequests * scale * networkWaitMs) / 1_000);
  /** The prefixes with a request that has a turn or waits for one. */
  const queues = new Map<string, { queue: FairQueue; requests: number }>();

  function open(prefix: string) {
    const opened = { queue: makeFairQueue({ slots, maxWaiting, halfLifeMs: 1_000 }), requests: 0 };
    queues.set(prefix, opened);
    return opened;
  }

  return {
    /** Resolves at the turn of a request. Throws `rate_limited` if too many others of its prefix wait. */
    wait: async ({ prefix, address }: Sender): Promise<void> => {
      const found = queues.get(prefix) ?? open(prefix);
      const end = () => {
        found.requests -= 1;
        if (found.requests === 0) queues.delete(prefix);
      };
      found.requests += 1;
      try {
        const leave = await found.queue.enter(address);
        setTimeout(() => {
          leave();
          end();
        }, turnMs).unref();
      } catch (error) {
        end();
        if (error instanceof QueueFullError) await refuse();
        throw error;
      }
    },
    /** Number of prefixes that are known. */
    count: () => queues.size,
  };
}

async function refuse(): Promise<never> {
  await new Promise((resolve) => void setTimeout(resolve, networkWaitMs));
  const retryAfterS = 1;
  const detail = `Too many requests from your network. Try again ${formatWait(retryAfterS)}.`;
  throw new AppError('rate_limited', {
    detail,
    meta: { limit: networkRequests, retryAfterS },
    limitName: 'network_requests',
  });
}
