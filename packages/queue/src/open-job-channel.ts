import { type JobChanged, jobChangedSchema } from '@uprez/contracts/schemas/job-messages';
import { addCostScript, type Cost, counterKeys } from './open-counter-store.ts';
import type { QueueOptions } from './open-queue.ts';
import { openRedisClient, parseJson } from './open-redis-client.ts';

/** Stored names: never rename them. */
const channelOf = (prefix: string, accountId: string) => `${prefix}:jobs:${accountId}`;

export type JobPublisher = {
  /** Tell whoever watches the account that a job changed. Best effort: lost when Redis is away. */
  publish: (accountId: string, change: JobChanged) => Promise<void>;
  /** Adds a cost to what the kept caller of a job has used. Best effort too. */
  addCost: (jobId: string, cost: Omit<Cost, 'most'>) => Promise<void>;
  close: () => Promise<void>;
};

export type JobSubscriber = {
  /** Watch one account; the returned function stops. One Redis subscription serves all watchers of an account. */
  subscribe: (accountId: string, listener: (change: JobChanged) => void) => () => void;
  close: () => Promise<void>;
};

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
  const listeners = new Map<string, Set<(change: JobChanged) => void>>();
  client.on('message', (channel: string, text: string) => {
    const change = parseJson(jobChangedSchema, text);
    if (change) for (const listener of listeners.get(channel) ?? []) listener(change);
  });
  return {
    subscribe: (accountId, listener) => {
      const channel = channelOf(prefix, accountId);
      const watching = listeners.get(channel) ?? new Set();
      if (watching.size === 0) client.subscribe(channel).catch(onError);
      listeners.set(channel, watching.add(listener));
      return () => {
        watching.delete(listener);
        if (watching.size > 0 || listeners.get(channel) !== watching) return;
        listeners.delete(channel);
        client.unsubscribe(channel).catch(onError);
      };
    },
    close: () => Promise.resolve(client.disconnect()),
  };
}
