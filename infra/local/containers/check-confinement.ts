import { type Checks, expect } from './checks.ts';
import { must, type Program } from './podman.ts';
import type { Project } from './start-project.ts';

/** The fields of /proc/1/status of a process without privileges under a seccomp profile. */
const confined = { NoNewPrivs: '1', CapEff: '0000000000000000', CapBnd: '0000000000000000', Seccomp: '2' };

/** Checks what the processes of each service may do. */
export async function checkConfinement({ podman, ids }: Project, { check }: Checks): Promise<void> {
  for (const name of ['gateway', 'worker', 'dispatcher']) {
    const [id = ''] = ids[name] ?? [];
    const run = (script: string) => podman(['exec', id, 'sh', '-c', script]);
    await check(`${name}: it runs as user 1000 without capabilities, with seccomp and no-new-privileges`, async () => {
      const status = await must(podman, ['exec', id, 'cat', '/proc/1/status']);
      for (const [field, value] of Object.entries(confined))
        expect(new RegExp(`^${field}:\\s+${value}$`, 'm').test(status), `${field} isn't ${value}:\n${status}`);
      expect((await run('id -u')).output === '1000', 'another user');
    });
    await check(`${name}: its root file system is read-only, except for /tmp`, async () => {
      expect((await run('echo > /app/file')).output.includes('Read-only file system'), '/app is writable');
      expect((await run('echo > /var/tmp/file')).code !== 0, '/var/tmp is writable');
      expect((await run('echo > /tmp/file && rm /tmp/file')).code === 0, '/tmp is not writable');
    });
  }
  await checkProfile(podman, ids, { check });
}

async function checkProfile(podman: Program, ids: Project['ids'], { check }: Pick<Checks, 'check'>): Promise<void> {
  for (const name of ['gateway', 'worker'])
    await check(`${name}: the seccomp profile allows user namespaces, and forbids to mount in them`, async () => {
      const [id = ''] = ids[name] ?? [];
      const run = (script: string) => podman(['exec', id, 'sh', '-c', script]);
      expect((await run('unshare --user --map-root-user --net true')).code === 0, 'no user namespaces');
      // The namespace's own root may mount, unless seccomp forbids it.
      const { output } = await run(
        'unshare --user --map-root-user --mount --propagation unchanged mount -t tmpfs none /tmp',
      );
      expect(/permission denied|not permitted/i.test(output), `mount: ${output}`);
    });
}
