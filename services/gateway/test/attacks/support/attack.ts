import type { RedisHandle } from '@uprez/local-stack/open-redis';
import type { TestProduct } from '@uprez/testing/products/start-test-product';
import type { HonestUser } from './open-honest-user.ts';
import type { Disk } from './read-disk.ts';
import type { Resources } from './read-resources.ts';
import type { Account } from './sign-up.ts';

/** `redis`: if no other product uses it. */
export type AttackedProduct = TestProduct & { redis?: RedisHandle };

/** The product, the accounts of the attackers, and another user. */
export type World = {
  product: AttackedProduct;
  accounts: readonly Account[];
  honest: HonestUser;
  /** Signs up an account that only one attack uses. */
  signUp: () => Promise<Account>;
  close: () => Promise<void>;
};

/** What an attack needs and its process doesn't have: IDs, keys, and files. */
export type Input = Record<string, string>;

export type Target = { url: string; accounts: readonly Account[]; seconds: number; input: Input };

/** What an attack sent and how the product responded, in numbers. */
export type Facts = Record<string, number>;

/**
 * `before` and `peak`: resources of each service before and during the attack. `freeSeconds`: processing time of the attackers'
 * jobs and previews that nobody is charged for, seconds.
 */
export type Found = {
  world: World;
  facts: Facts;
  input: Input;
  before: Record<string, Resources>;
  peak: Record<string, Resources>;
  disk: { before: Disk; peak: Disk };
  freeSeconds: number;
};

export type Attack = {
  name: string;
  /** Duration in the suite. Attacks that wait for something take as long as they need, and the other user as long as this. */
  seconds: number;
  /** Prepares accounts and files before the attack, in the process of the suite. */
  prepare?: (world: World) => Promise<Input>;
  /** The attack itself, in its own process. */
  run: (target: Target) => Promise<Facts>;
  /** Returns what must be true after the attack, by its description. */
  check: (found: Found) => Promise<Record<string, boolean>> | Record<string, boolean>;
  /** Undoes `prepare` when the attack has ended. */
  restore?: (world: World, input: Input) => Promise<void>;
  /** Warnings of services that the attack may cause. */
  warnings?: RegExp;
  /** Longest wait of another user for a job of the attack that already runs, milliseconds. */
  runningJobMs?: number;
  /** Whether its process contains a part of the product, and must not have a low priority. */
  isServer?: boolean;
};
