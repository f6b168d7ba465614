import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';

type Hook = (work: () => unknown) => void;

function openFixture<T extends object>(make: () => Promise<T>, [before, after]: [Hook, Hook]): T {
  const value = {} as T & { close?: () => unknown };
  before(async () => {
    Object.assign(value, await make());
  });
  after(() => value.close?.());
  return value;
}

/** Creates a value for the tests of a file or `describe`, and closes it afterward. For tests and later hooks. */
export const fileFixture = <T extends object>(make: () => Promise<T>): T => openFixture(make, [beforeAll, afterAll]);

/** Creates a value before each test, and closes it after the test. */
export const testFixture = <T extends object>(make: () => Promise<T>): T => openFixture(make, [beforeEach, afterEach]);
