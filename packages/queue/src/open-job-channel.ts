import { type JobChangedMessage, jobChangedMessageSchema } from '@uprez/contracts/schemas/jobs/job-messages';
import { addCostScript, type Cost, counterKeys } from './open-counter-store.ts';
import type { QueueOptions } from './open-queue.ts';
import { openRedisClient, parseJson } from './open-redis-client.ts';

/** Publishers and subscribers must use the same name, so never change it. */
const channelOf = (prefix: string, accountId: string) => `${prefix}:jobs:${accountId}`;

export type JobPublisher = {
  /**
   * Notifies subscribers of an account that a job changed. Best effort: messages are lost while Redis is unavailable.
   */
  publish: (accountId: string, change: JobChangedMessage) => Promise<void>;
  /** Adds a cost to the counter of a job's stored caller. Best effort. */
  addCost: (jobId: string, cost: Omit<Cost, 'most'>) => Promise<void>;
  close: () => Promise<void>;
};

export type JobSubscriber = {
  /**
   * Subscribes to an account. The returned function unsubscribes. All subscribers to an account share one Redis
   * subscription. `onGap`: called after Redis was unavailable, with the time since which messages may have been lost,
   * in milliseconds since 1970.
   */
  subscribe: (accountId: string, listener: (change: JobChangedMessage) => void, onGap?: OnGap) => () => void;
  close: () => Promise<void>;
};

/**
 * Additional time that publishers may need to reconnect to Redis: the maximum delay between attempts, plus the time for
 * one attempt.
 */
const publisherReconnectMs = 3_000;

type OnGap = (sinceMs: number) => void;
type Watcher = { listener: (change: JobChangedMessage) => void; onGap: OnGap | undefined };

export function openJobPublisher({ url, prefix, onError }: QueueOptions): JobPublisher {
  const client = openRedisClient(url, 'command', onError);
  const keys = counterKeys(prefix);
  return {
    publish: async (accountId, change) => {
      await client.publish(channelOf(prefix, accountId), JSON.stringify(change)).catch(onError);
    },
    addCost: async (jobId, { cost, windowMs }) => {
      await client.eval(addCostScript, 1, keys.caller + jobId, keys.cost, cost, windowMs).catch(onError);
    },
    close: () => Promise.resolve(client.disconnect()),
  };
}

export function openJobSubscriber({ url, prefix, onError }: QueueOptions): JobSubscriber {
  const client = openRedisClient(url, 'subscriber', onError);
  const watchers = new Map<string, Set<Watcher>>();
  client.on('message', (channel: string, text: string) => {
    const change = parseJson(jobChangedMessageSchema, text);
    if (change) for (const { listener } of watchers.get(channel) ?? []) listener(change);
  });
  /**
   * Start of the period in which messages may be lost. Cleared only after publishers have also had time to reconnect.
   */
  let awayMs: number | undefined = Date.now();
  let gapTimer: NodeJS.Timeout | undefined;
  const reportGap = () => {
    for (const watching of watchers.values()) for (const { onGap } of watching) onGap?.(awayMs ?? Date.now());
  };
  client.on('close', () => {
    awayMs ??= Date.now();
    // The gap continues, so keep its start.
    clearTimeout(gapTimer);
  });
  client.on('ready', () => {
    reportGap();
    clearTimeout(gapTimer);
    gapTimer = setTimeout(() => {
      reportGap();
      awayMs = undefined;
    }, publisherReconnectMs);
  });
  return {
    subscribe: (accountId, listener, onGap) => {
      const channel = channelOf(prefix, accountId);
      const watching = watchers.get(channel) ?? new Set();
      if (watching.size === 0) client.subscribe(channel).catch(onError);
      const watcher = { listener, onGap };
      watchers.set(channel, watching.add(watcher));
      return () => {
        watching.delete(watcher);
        if (watching.size > 0 || watchers.get(channel) !== watching) return;
        watchers.delete(channel);
        client.unsubscribe(channel).catch(onError);
      };
    },
    close: () => {
      clearTimeout(gapTimer);
      return Promise.resolve(client.disconnect());
    },
  };
}
