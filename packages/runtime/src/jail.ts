import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { childEnvironment } from '@uprez/contracts/schemas/child-messages';

/**
 * `full`: without network and privileges, as another user. `user-namespace`: as the same user. `none`: not supported.
 */
export type Jail = {
  kind: 'full' | 'user-namespace' | 'none' | 'off';
  command: readonly string[];
  user?: { uid: number; gid: number };
};

const noNewPrivileges = ['setpriv', '--no-new-privs'];

/** Detect the jail that this machine supports. `required` throws when there is none. */
export function probeJail(mode: 'auto' | 'required' | 'off'): Jail {
  if (mode === 'off') return { kind: 'off', command: [] };
  const root = process.getuid?.() === 0;
  const command = ['unshare', root ? '-n' : '-Urn', '--', ...noNewPrivileges];
  const [program = '', ...args] = [...command, 'true'];
  const works = spawnSync(program, args, { timeout: 5_000, stdio: 'ignore' }).status === 0;
  if (works) return root ? { kind: 'full', command, user: nobody() } : { kind: 'user-namespace', command };
  if (mode === 'required')
    throw new Error(
      'JAIL=required needs `unshare` and `setpriv`, which are missing or not permitted. See docs/operations.md.',
    );
  return { kind: 'none', command: [] };
}

function nobody(): { uid: number; gid: number } {
  const line = fs
    .readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((row) => row.startsWith('nobody:'));
  const [, , uid, gid] = line?.split(':') ?? [];
  return { uid: Number(uid ?? 65_534), gid: Number(gid ?? 65_534) };
}

type JailedSpawn = { jail: Jail; module: string; options: Record<string, unknown> };

/**
 * Start a built module as a jailed child. `options` are JSON in argv[2], with the user to become after its imports.
 * Messages use IPC, logs stderr, and bytes file descriptor 4.
 */
export function spawnJailed({ jail, module, options }: JailedSpawn): ChildProcess {
  const [program = '', ...args] = [
    ...jail.command,
    process.execPath,
    module,
    JSON.stringify({ ...options, ...(jail.user ?? {}) }),
  ];
  return spawn(program, args, {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc', 'pipe'],
    env: childEnvironment,
    cwd: '/',
  });
}
