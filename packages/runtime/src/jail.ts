import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { childEnvironment } from '@uprez/contracts/schemas/jobs/child-messages';

/**
 * `full`: without network and privileges, as another user. `user-namespace`: as the same user. `none`: not supported.
 */
export type Jail = {
  kind: 'full' | 'user-namespace' | 'none' | 'off';
  /** Launches a child. */
  command: readonly string[];
  /** Whether `command` ends with `prlimit`, so that its options may follow. */
  hasLimits?: boolean;
  /**
   * Whether the child is the first process of a process namespace: it can't signal others, and all that it started end with it.
   * It is the only child of the launcher then.
   */
  hasProcesses?: boolean;
  /** What this machine doesn't support of the isolation, for operators. */
  missing?: string;
  user?: { uid: number; gid: number };
};

const processes = ['-p', '--fork', '--kill-child'];
/** As root, the child loses its capabilities when it becomes another user. */
const noNewPrivileges = ['setpriv', '--no-new-privs'];
const noCapabilities = [...noNewPrivileges, '--inh-caps=-all', '--bounding-set=-all'];
/** Forbids further user namespaces, in which a process has all capabilities, where /proc/sys isn't read-only. */
const noUserNamespaces = [
  'sh',
  '-c',
  '{ echo 0 >/proc/sys/user/max_user_namespaces; } 2>/dev/null; unset PWD OLDPWD SHLVL; exec "$@"',
  'sh',
];
const noCoreDumps = ['prlimit', '--core=0'];

type Way = Omit<Jail, 'kind' | 'user'>;

/** The ways to isolate a child, the best first. */
function listWays(isRoot: boolean): Way[] {
  const inside = isRoot ? noNewPrivileges : [...noUserNamespaces, ...noCapabilities];
  const unshare = ['unshare', isRoot ? '-n' : '-Urn'];
  return [
    { command: [...unshare, ...processes, '--', ...inside, ...noCoreDumps], hasLimits: true, hasProcesses: true },
    { command: [...unshare, '--', ...inside, ...noCoreDumps], hasLimits: true, missing: 'process namespaces' },
    {
      command: [...unshare, '--', ...noNewPrivileges],
      missing: 'process namespaces, `prlimit`, or dropping capabilities',
    },
  ];
}

function works({ command, hasLimits, hasProcesses }: Way): boolean {
  // Some kernels don't list the children of a process.
  if (hasProcesses && !fs.existsSync(childrenFile(process.pid))) return false;
  const [program = '', ...args] = [...command, ...(hasLimits ? ['--'] : []), 'true'];
  return spawnSync(program, args, { timeout: 5_000, stdio: 'ignore' }).status === 0;
}

const childrenFile = (pid: number) => `/proc/${pid}/task/${pid}/children`;

/** Detect the jail that this machine supports. `required` throws when there is none. */
export function probeJail(mode: 'auto' | 'required' | 'off'): Jail {
  if (mode === 'off') return { kind: 'off', command: [] };
  const isRoot = process.getuid?.() === 0;
  const way = listWays(isRoot).find(works);
  if (way) return isRoot ? { kind: 'full', ...way, user: nobody() } : { kind: 'user-namespace', ...way };
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

/** `fileBytes`: the largest file that it may write, if the jail has limits. */
type JailedSpawn = { jail: Jail; module: string; options: Record<string, unknown>; fileBytes: number };

/**
 * Start a built module as a jailed child, in a process group of its own. `options` are JSON in argv[2], with the user to become
 * after its imports.
 * Messages use IPC, logs stderr, and bytes file descriptor 4.
 */
export function spawnJailed({ jail, module, options, fileBytes }: JailedSpawn): ChildProcess {
  const limits = jail.hasLimits ? [`--fsize=${fileBytes}`, '--'] : [];
  const [program = '', ...args] = [
    ...jail.command,
    ...limits,
    process.execPath,
    module,
    JSON.stringify({ ...options, ...(jail.user ?? {}) }),
  ];
  return spawn(program, args, {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc', 'pipe'],
    env: childEnvironment,
    cwd: '/',
    detached: true,
  });
}

/** The process of a jailed child itself, which isn't its launcher's. Undefined if it hasn't started, or has ended. */
function findJailedPid({ hasProcesses }: Jail, { pid }: ChildProcess): number | undefined {
  if (!hasProcesses || pid === undefined) return pid;
  try {
    return Number(fs.readFileSync(childrenFile(pid), 'utf8').split(' ')[0]) || undefined;
  } catch {
    return undefined;
  }
}

export type JailedProcess = ReturnType<typeof openJailedProcess>;

/** Sends SIGKILL to a process, or to a process group by its negative ID. */
function killProcess(target: number): void {
  try {
    process.kill(target, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

/** When a process started, in ticks since the start of the system. Undefined if it has ended. */
function findStart(pid: number): string | undefined {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return undefined;
  }
}

/**
 * Returns `read`, the ID of a child's process once it has started, and `kill`, which ends it with everything that it started: in
 * its process namespace if it has one, else in its process group.
 */
export function openJailedProcess(child: ChildProcess, jail: Jail) {
  let pid: number | undefined;
  let start: string | undefined;
  const read = () => {
    if (pid === undefined) {
      pid = findJailedPid(jail, child);
      start = pid === undefined ? undefined : findStart(pid);
    }
    return pid;
  };
  const kill = () => {
    const own = read();
    // Another process may have its ID by now.
    const runs = own !== undefined && start !== undefined && findStart(own) === start;
    // The launcher ends after all processes of the namespace.
    if (jail.hasProcesses && runs) killProcess(own);
    else if (child.pid) killProcess(-child.pid);
  };
  return { read, kill };
}
