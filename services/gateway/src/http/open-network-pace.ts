import { AppError } from '@uprez/contracts/errors/app-error';
import { limits } from '@uprez/contracts/policy/limits';
import { formatWait } from '@uprez/contracts/texts/format';
import { type FairQueue, makeFairQueue, QueueFullError } from '@uprez/domain/make-fair-queue';

const { networkRequests, networkBurst, networkWaitMs } = limits;

/**
 * How long each request occupies a slot of its IP prefix. Once a burst has filled the `networkBurst` slots, this limits
 * the prefix to `networkRequests` requests per second.
 */
const turnMs = (1_000 * networkBurst) / networkRequests;

type Sender = { prefix: string; address: string };

/**
 * Opens the queues that pace the requests from each IP prefix. The gateway handles all requests in one thread, and a
 * prefix can contain any number of addresses, each with its own rate limit. After a burst, requests from a prefix
 * therefore wait for their turns. The next turn goes to the address with the fewest recent requests.
 *
 * Rejections are delayed, too, because clients would respond to immediate ones with more requests.
 */
export function openNetworkPace({ scale }: { scale: number }) {
  const slots = Math.max(2, Math.floor(networkBurst * scale));
  const maxWaiting = Math.floor((networkRequests * scale * networkWaitMs) / 1_000);
  /** Queues for the prefixes with at least one request that has a turn or is waiting for one. */
  const queues = new Map<string, { queue: FairQueue; requests: number }>();

  function open(prefix: string) {
    const opened = { queue: makeFairQueue({ slots, maxWaiting, halfLifeMs: 1_000 }), requests: 0 };
    queues.set(prefix, opened);
    return opened;
  }

  return {
    /**
     * Resolves when it is the request's turn. Throws `rate_limited` if too many requests from its prefix are waiting.
     */
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
        if (error instanceof QueueFullError) await rejectAfterDelay();
        throw error;
      }
    },
    count: () => queues.size,
  };
}

async function rejectAfterDelay(): Promise<never> {
  await new Promise((resolve) => void setTimeout(resolve, networkWaitMs));
  const retryAfterS = 1;
  const detail = `Too many requests from your network. Try again ${formatWait(retryAfterS)}.`;
  throw new AppError('rate_limited', {
    detail,
    meta: { limit: networkRequests, retryAfterS },
    limitName: 'network_requests',
  });
}
