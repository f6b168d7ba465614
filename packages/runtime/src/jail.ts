import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';

/**
 * `full`: no network, lowered user, no new privileges. `user-namespace`: the same without the lowered user (we are not
 * root, so there is none to lower to). `none`: this machine refuses namespaces. `off`: switched off by a setting.
 */
export type Jail = {
  kind: 'full' | 'user-namespace' | 'none' | 'off';
  command: readonly string[];
  user?: { uid: number; gid: number };
};

const noNewPrivileges = ['setpriv', '--no-new-privs'];

/**
 * Find out what this machine can jail. `required` throws where nothing can; `auto` answers `none` then.
 */
export function probeJail(mode: 'auto' | 'required' | 'off'): Jail {
  if (mode === 'off') return { kind: 'off', command: [] };
  const root = process.getuid?.() === 0;
  const command = ['unshare', root ? '-n' : '-Urn', '--', ...noNewPrivileges];
  const [program = '', ...args] = [...command, 'true'];
  const works = spawnSync(program, args, { timeout: 5_000, stdio: 'ignore' }).status === 0;
  if (works) return root ? { kind: 'full', command, user: nobody() } : { kind: 'user-namespace', command };
  if (mode === 'required') throw new Error('JAIL=required, but this machine refuses `unshare` or has no `setpriv`.');
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

export type JailedSpawn = { jail: Jail; module: string; options: Record<string, unknown> };

/**
 * Start a built module as a jailed child: `options` go to it as JSON in argv[2], together with the user that it must
 * become after its imports (it can read its own files before, and nothing of ours afterward). The environment is
 * empty but for a path. Messages on IPC, log lines on stderr, bytes on file descriptor 4.
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
    // glibc's arenas would keep memory that tiles have freed; onnxruntime would keep a diary of its use and send it home.
    env: { PATH: '/usr/bin:/bin', MALLOC_ARENA_MAX: '2', ORT_DISABLE_TELEMETRY: '1' },
    cwd: '/',
  });
}
