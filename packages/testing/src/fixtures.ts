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

/** Makes a value before the tests of a file or `describe`, and closes it after them. Only tests and later hooks read it. */
export const fileFixture = <T extends object>(make: () => Promise<T>): T => openFixture(make, [beforeAll, afterAll]);

/** Makes a value before each test, and closes it after it. */
export const testFixture = <T extends object>(make: () => Promise<T>): T => openFixture(make, [beforeEach, afterEach]);
