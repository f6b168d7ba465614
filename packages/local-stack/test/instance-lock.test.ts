import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { acquireLock } from '../src/instance-lock.ts';
import { makeFolder, spawnStarter } from './helpers.ts';

test('one holder at a time; a release makes room', () => {
  const file = join(makeFolder(), 'lock');
  const lock = acquireLock(file, 'the test');
  expect(() => acquireLock(file, 'the test')).toThrow(`the test is in use by process ${process.pid}`);
  lock.release();
  acquireLock(file, 'the test').release();
});

test("another process's lock holds while it lives, and is taken over once it was killed", async () => {
  const folder = makeFolder();
  const file = join(folder, 'lock');
  const { told, kill } = await spawnStarter('lock', folder);
  expect(() => acquireLock(file, 'the test')).toThrow(`in use by process ${told.starter}`);
  await kill();
  const lock = acquireLock(file, 'the test');
  expect(readFileSync(file, 'utf8')).toMatch(new RegExp(`^${process.pid}\n`));
  lock.release();
});

test('a pid that was used again by another process does not hold the lock', () => {
  const file = join(makeFolder(), 'lock');
  writeFileSync(file, `${process.pid}\nan earlier start\n`);
  acquireLock(file, 'the test').release();
});

test("release leaves another holder's lock alone", () => {
  const file = join(makeFolder(), 'lock');
  const lock = acquireLock(file, 'the test');
  writeFileSync(file, '1\nsomeone else\n');
  lock.release();
  expect(readFileSync(file, 'utf8')).toBe('1\nsomeone else\n');
});
