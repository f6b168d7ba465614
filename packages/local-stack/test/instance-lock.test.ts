import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { acquireLock } from '../src/instance-lock.ts';
import { makeFolder, spawnStarter } from './helpers.ts';

it('allows one holder until it releases the lock', () => {
  const file = join(makeFolder(), 'lock');
  const lock = acquireLock(file, 'the test');
  expect(() => acquireLock(file, 'the test')).toThrow(`the test is in use by process ${process.pid}`);
  lock.release();
  acquireLock(file, 'the test').release();
});

it('respects the lock of a running process and takes over that of a killed one', async () => {
  const folder = makeFolder();
  const file = join(folder, 'lock');
  const { output, kill } = await spawnStarter('lock', folder);
  expect(() => acquireLock(file, 'the test')).toThrow(`in use by process ${output.starter}`);
  await kill();
  const lock = acquireLock(file, 'the test');
  expect(readFileSync(file, 'utf8')).toMatch(new RegExp(`^${process.pid}\n`));
  lock.release();
});

it('takes over a lock whose pid was reused', () => {
  const file = join(makeFolder(), 'lock');
  writeFileSync(file, `${process.pid}\nan earlier start\n`);
  acquireLock(file, 'the test').release();
});

it('does not release the lock of another holder', () => {
  const file = join(makeFolder(), 'lock');
  const lock = acquireLock(file, 'the test');
  writeFileSync(file, '1\nsomeone else\n');
  lock.release();
  expect(readFileSync(file, 'utf8')).toBe('1\nsomeone else\n');
});
