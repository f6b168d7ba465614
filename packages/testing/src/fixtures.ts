import { afterAll, afterEach, beforeAll, beforeEach, test } from 'vitest';

type Hook = (work: () => unknown) => void;

function openFixture<T extends object>(make: () => Promise<T>, [before, after]: [Hook, Hook]): T {
  const value = {} as T & { close?: () => unknown };
  before(async () => {
    Object.assign(value, await make());
  });
  after(() => value.close?.());
  return value;
}

/**
 * Creates a value before the tests in a file or `describe`, and closes it afterward. Its properties are available only
 * in tests and in hooks that are registered later.
 */
export const fileFixture = <T extends object>(make: () => Promise<T>): T => openFixture(make, [beforeAll, afterAll]);

/** Creates a value before each test, and closes it after the test. */
export const testFixture = <T extends object>(make: () => Promise<T>): T => openFixture(make, [beforeEach, afterEach]);

/** Rejects closing a shared value, because only the worker closes it. */
const rejectClose = () => {
  throw new Error('Other test files use this, too.');
};

/**
 * Returns a function to call like `fileFixture`. All test files that run in a Vitest worker share one value. It is
 * created for the first file, and closed when the worker ends.
 */
export function makeWorkerFixture<T extends { close: () => Promise<void> }>(make: () => Promise<T>): () => T {
  // biome-ignore lint/correctness/noEmptyPattern: Vitest accepts nothing else here.
  const shared = test.extend('value', { scope: 'worker' }, async ({}, { onCleanup }) => {
    const value = await make();
    onCleanup(() => value.close());
    return value;
  });
  return () => {
    const value = {} as T;
    shared.beforeAll(({ value: made }) => {
      Object.assign(value, made, { close: rejectClose });
    });
    return value;
  };
}
