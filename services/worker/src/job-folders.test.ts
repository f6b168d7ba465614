import fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitUntil } from '@uprez/testing/wait-until';
import { expect, it, onTestFinished } from 'vitest';
import { openJobFolders } from './job-folders.ts';

async function openRoot(unmarkedMs = 1_500) {
  const root = await fs.mkdtemp(join(tmpdir(), 'uprez-job-folders-'));
  onTestFinished(() => fs.rm(root, { recursive: true, force: true }));
  const open = async (workerId: string) => {
    const errors: unknown[] = [];
    const options = { beatMs: 20, staleMs: 1_500, unmarkedMs, onError: (error: unknown) => void errors.push(error) };
    const folders = await openJobFolders({ root, workerId, user: undefined }, options);
    onTestFinished(() => folders.close());
    return { ...folders, errors };
  };
  return { root, open };
}

it('deletes the folder of a worker that ended, whose process ID another process has, and keeps those in use', async () => {
  const { root, open } = await openRoot();
  const dead = `host-${process.ppid}-01234567`;
  // Its process ID doesn't exist on this machine.
  const remote = 'elsewhere-4194305-89abcdef';
  await fs.mkdir(join(root, dead, 'job'), { recursive: true });
  const [near, far] = [await open(`host-${process.pid}-00000000`), await open(remote)];
  const { dir } = await far.make('job');
  await waitUntil(async () => !(await fs.readdir(root)).includes(dead), { what: 'the deletion' });
  expect(await fs.readdir(root)).toHaveLength(2);
  expect((await fs.stat(dir)).isDirectory()).toBe(true);
  expect([...near.errors, ...far.errors]).toEqual([]);
});

it('keeps the folder of a worker of an earlier version, which does not touch it, longer than others', async () => {
  const { root, open } = await openRoot(600_000);
  const [former, dead] = ['host-1-former00', 'host-2-00000000'];
  for (const name of [former, dead]) await fs.mkdir(join(root, name, 'job'), { recursive: true });
  await fs.writeFile(join(root, dead, 'heartbeat'), '');
  const { errors } = await open('host-3-00000000');
  await waitUntil(async () => !(await fs.readdir(root)).includes(dead), { what: 'the deletion' });
  expect((await fs.stat(join(root, former, 'job'))).isDirectory()).toBe(true);
  expect(errors).toEqual([]);
});

it('makes folders again after its own was deleted', async () => {
  const { root, open } = await openRoot();
  const folders = await open('host-1-01234567');
  await fs.rm(join(root, 'host-1-01234567'), { recursive: true });
  const { dir } = await folders.make('job');
  expect((await fs.stat(dir)).mode & 0o777).toBe(0o700);
});
