import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';

type Closable = { close?: () => unknown };

/** Makes a value before the tests of a file or `describe`, and closes it after them. Only tests and later hooks read it. */
export function fileFixture<T extends object>(make: () => Promise<T>): T {
  const value = {} as T & Closable;
  beforeAll(async () => {
    Object.assign(value, await make());
  });
  afterAll(() => value.close?.());
  return value;
}

/** Makes a value before each test, and closes it after it. */
export function testFixture<T extends object>(make: () => Promise<T>): T {
  const value = {} as T & Closable;
  beforeEach(async () => {
    Object.assign(value, await make());
  });
  afterEach(() => value.close?.());
  return value;
}
