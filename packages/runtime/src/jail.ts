import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { childEnvironment } from '@uprez/contracts/schemas/jobs/child-messages';

/**
 * `full`: the child runs without network and privileges, as another user. `user-namespace`: without network and
 * privileges, but as the same user. `none`: this machine doesn't support isolation. `off`: isolation is turned off.
 */
export type Jail = {
  kind: 'full' | 'user-namespace' | 'none' | 'off';
  command: readonly string[];
  /** Whether `command` ends with `prlimit`, which allows options for `prlimit` to be appended. */
  hasLimits?: boolean;
  /**
   * Whether the child is the first process in a process namespace. If so, it can't signal processes outside the
   * namespace, and all processes that it started end with it. It is also the launcher's only child.
   */
  hasProcesses?: boolean;
  /** Isolation features that this machine doesn't support, for operators. */
  missing?: string;
  user?: { uid: number; gid: number };
};

const processes = ['-p', '--fork', '--kill-child'];
/** Sufficient if this process runs as root, because the child loses its capabilities when it becomes another user. */
const noNewPrivileges = ['setpriv', '--no-new-privs'];
const noCapabilities = [...noNewPrivileges, '--inh-caps=-all', '--bounding-set=-all'];
/**
 * Forbids nested user namespaces, because a process has all capabilities inside one. Has no effect where /proc/sys is
 * read-only.
 */
const noUserNamespaces = [
  'sh',
  '-c',
  '{ echo 0 >/proc/sys/user/max_user_namespaces; } 2>/dev/null; unset PWD OLDPWD SHLVL; exec "$@"',
  'sh',
];
const noCoreDumps = ['prlimit', '--core=0'];

type Way = Omit<Jail, 'kind' | 'user'>;

/** Lists the ways to isolate a child, strongest first. */
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

function isSupported({ command, hasLimits, hasProcesses }: Way): boolean {
  // Some kernels don't list the children of a process, which `findJailedPid` requires.
  if (hasProcesses && !fs.existsSync(childrenFile(process.pid))) return false;
  const [program = '', ...args] = [...command, ...(hasLimits ? ['--'] : []), 'true'];
  return spawnSync(program, args, { timeout: 5_000, stdio: 'ignore' }).status === 0;
}

const childrenFile = (pid: number) => `/proc/${pid}/task/${pid}/children`;

/** Detects the jail that this machine supports. Throws if `mode` is `required` and no jail is supported. */
export function probeJail(mode: 'auto' | 'required' | 'off'): Jail {
  if (mode === 'off') return { kind: 'off', command: [] };
  const isRoot = process.getuid?.() === 0;
  const way = listWays(isRoot).find(isSupported);
  if (way) return isRoot ? { kind: 'full', ...way, user: getNobodyUser() } : { kind: 'user-namespace', ...way };
  if (mode === 'required')
    throw new Error(
      'JAIL=required needs `unshare` and `setpriv`, which are missing or not permitted. See docs/operations.md.',
    );
  return { kind: 'none', command: [] };
}

function getNobodyUser(): { uid: number; gid: number } {
  const line = fs
    .readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((row) => row.startsWith('nobody:'));
  const [, , uid, gid] = line?.split(':') ?? [];
  return { uid: Number(uid ?? 65_534), gid: Number(gid ?? 65_534) };
}

/** `fileBytes`: maximum size of a file that the child may write, if the jail has limits. */
type JailedSpawn = { jail: Jail; module: string; options: Record<string, unknown>; fileBytes: number };

/**
 * Starts a built module as a jailed child in its own process group. argv[2] contains `options` as JSON, and the user
 * that the child becomes after its imports. Messages use IPC, logs use stderr, and bytes use file descriptor 4.
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

/**
 * Returns the ID of the jailed process itself, not of its launcher. Returns undefined if it hasn't started or has
 * ended.
 */
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
    // The process has already ended.
  }
}

/** In ticks since the system started, or undefined if the process has ended. */
function findStart(pid: number): string | undefined {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return undefined;
  }
}

/**
 * Returns `read`, which returns the child's process ID once it has started, and `kill`, which ends the child and all
 * processes that it started: in its process namespace if it has one, otherwise in its process group.
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
    // Compare the start times, because another process may have reused the ID.
    const runs = own !== undefined && start !== undefined && findStart(own) === start;
    // Kill the child instead of the launcher. The launcher exits after all processes in the namespace have ended.
    if (jail.hasProcesses && runs) killProcess(own);
    else if (child.pid) killProcess(-child.pid);
  };
  return { read, kill };
}
