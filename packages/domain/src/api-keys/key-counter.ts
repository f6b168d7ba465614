import { addKeyCalls, type KeyCalls } from '@uprez/db/queries/api-keys/api-keys';
import type { Needs } from '../context.ts';

export type KeyCall = { keyId: string; isError: boolean; address: string };
export type KeyCounter = {
  /** Counts one call. Resolves after the write, or after the database couldn't be reached. Never throws. */
  count: (call: KeyCall) => Promise<void>;
  /** Resolves when all counts so far are written, or couldn't be because the database isn't reachable. */
  flush: () => Promise<void>;
};

/**
 * Counts calls by key. Each call waits until its count is written. Counts that arrive during a write share the next
 * one. Counts are kept in memory while PostgreSQL is unavailable.
 */
export function makeKeyCounter(ctx: Needs<'db' | 'log'>): KeyCounter {
  /** Counts whose write hasn't started. */
  const waiting = new Map<string, KeyCalls>();
  const writing = new Map<string, Promise<void>>();

  const add = ({ keyId, calls, errors, address }: KeyCalls) => {
    const before = waiting.get(keyId) ?? { calls: 0, errors: 0 };
    waiting.set(keyId, { keyId, calls: before.calls + calls, errors: before.errors + errors, address });
  };
  const write = async (keyId: string) => {
    const calls = waiting.get(keyId);
    if (!calls) return;
    waiting.delete(keyId);
    try {
      await addKeyCalls(ctx.db, calls);
    } catch (error) {
      add(calls);
      ctx.log.warn({ err: error, keyId }, 'counting API calls failed, will retry');
    }
  };
  const writeNext = (keyId: string): Promise<void> => {
    const next = (writing.get(keyId) ?? Promise.resolve()).then(() => write(keyId));
    writing.set(keyId, next);
    return next.finally(() => writing.get(keyId) === next && writing.delete(keyId));
  };
  return {
    count: ({ keyId, isError, address }) => {
      add({ keyId, calls: 1, errors: isError ? 1 : 0, address });
      return writeNext(keyId);
    },
    flush: async () => {
      await Promise.all([...new Set([...waiting.keys(), ...writing.keys()])].map(writeNext));
    },
  };
}
