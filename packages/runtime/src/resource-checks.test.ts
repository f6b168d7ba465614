import fs from 'node:fs/promises';
import os from 'node:os';
import { limits } from '@uprez/contracts/policy/limits';
import { expect, it } from 'vitest';
import { makeResourceChecks, runChecks, systemResources } from './run-checks.ts';

const fake = { open: 10, limit: 100, freeBytes: limits.freeDiskBytes };
const check = ({ open, limit, freeBytes } = fake, folders = ['/data']) => {
  const resources = { readDescriptors: async () => ({ open, limit }), readFreeBytes: async () => freeBytes };
  return runChecks(makeResourceChecks(folders, resources));
};

it('passes up to 80% of the descriptors and with the free space that is required', async () => {
  expect(await check({ ...fake, open: 80 })).toEqual({ descriptors: 'ok', disk: 'ok' });
});

it('fails above 80% of the descriptors', async () => {
  expect(await check({ ...fake, open: 81 })).toMatchObject({ descriptors: '81 of 100 file descriptors are open' });
});

it('fails with less free space than required', async () => {
  expect(await check({ ...fake, freeBytes: 1024 ** 2 * 1.5 })).toMatchObject({ disk: '/data has 1 MB left' });
});

it('checks no disk when nothing is stored there', async () => {
  expect(await check(fake, [])).toEqual({ descriptors: 'ok' });
});

it('counts the open descriptors of this process below its limit', async () => {
  const before = await systemResources.readDescriptors();
  const files = await Promise.all(Array.from({ length: 50 }, () => fs.open('/dev/null')));
  const after = await systemResources.readDescriptors();
  await Promise.all(files.map((file) => file.close()));
  // Another test of this process may close some meanwhile.
  expect(after.open - before.open).toBeGreaterThan(25);
  expect(after.open).toBeLessThan(after.limit);
});

it('reads the free space of a folder', async () => {
  expect(await systemResources.readFreeBytes(os.tmpdir())).toBeGreaterThan(0);
});
