import { AppError } from '@uprez/contracts/errors/app-error';
import type { LimitName } from '@uprez/contracts/policy/limit-names';
import { reportLimit } from '@uprez/domain/report-limit';

/** Whose bytes they are. Visitors have no account. */
export type Holder = { account?: string | undefined; address: string };

export type ByteBudgetOptions = {
  limitName: LimitName;
  totalBytes: number;
  accountBytes: number;
  addressBytes: number;
  /** Longest wait for bytes that others hold. */
  waitMs: number;
};

export type ByteBudget = ReturnType<typeof makeByteBudget>;

type Share = readonly [key: string, most: number];
type Waiting = { shares: readonly Share[]; bytes: number; admit: (release: () => void) => void };

const total = 'all';

/**
 * Bytes that a process holds at once, of all holders and of each account and IP address. Whoever needs more waits shortly,
 * in order; those who wait for their own bytes let others pass. Something larger than a share is held alone.
 */
export function makeByteBudget({ limitName, totalBytes, accountBytes, addressBytes, waitMs }: ByteBudgetOptions) {
  const sums = makeSums();
  const waiting = new Set<Waiting>();
  const sharesOf = ({ account, address }: Holder): Share[] => [
    [`address ${address}`, addressBytes],
    ...(account === undefined ? [] : [[`account ${account}`, accountBytes] as const]),
  ];

  function take(shares: readonly Share[], bytes: number): () => void {
    const keys = [total, ...shares.map(([key]) => key)];
    for (const key of keys) sums.add(key, bytes);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      for (const key of keys) sums.add(key, -bytes);
      admitWaiting();
    };
  }

  function admitWaiting(): void {
    for (const next of waiting) {
      if (!next.shares.every((share) => sums.fits(share, next.bytes))) continue;
      // Smaller ones must not pass forever.
      if (!sums.fits([total, totalBytes], next.bytes)) return;
      waiting.delete(next);
      next.admit(take(next.shares, next.bytes));
    }
  }

  return {
    /** Resolves with a function that gives the bytes back. Throws `server_busy`. */
    hold: async (holder: Holder, bytes: number): Promise<() => void> => {
      const { promise, resolve, reject } = withResolvers<() => void>();
      const next: Waiting = { shares: sharesOf(holder), bytes, admit: resolve };
      waiting.add(next);
      admitWaiting();
      if (!waiting.has(next)) return promise;
      reportLimit(limitName);
      const timer = setTimeout(() => {
        waiting.delete(next);
        admitWaiting();
        reject(new AppError('server_busy'));
      }, waitMs);
      return promise.finally(() => clearTimeout(timer));
    },
    /** Bytes held by all. */
    heldBytes: () => sums.of(total),
  };
}

function makeSums() {
  const sums = new Map<string, number>();
  const of = (key: string) => sums.get(key) ?? 0;
  return {
    of,
    fits: ([key, most]: Share, bytes: number) => of(key) === 0 || of(key) + bytes <= most,
    add: (key: string, bytes: number) => {
      const sum = of(key) + bytes;
      if (sum > 0) sums.set(key, sum);
      else sums.delete(key);
    },
  };
}

function withResolvers<T>() {
  let resolve: (value: T) => void = () => {};
  let reject: (reason: Error) => void = () => {};
  const promise = new Promise<T>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  return { promise, resolve, reject };
}
