import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { pollUntil } from './poll-until.ts';

export interface ProcessInfo {
  /** The process's arguments, each followed by a space. The space keeps `-D /a ` from matching `-D /ab`. */
  commandLine: string;
  /** Opaque. Identifies a process together with its pid, because another process may reuse the pid. */
  startedAt: string;
}

/** Returns the process with a pid, or undefined if the process doesn't exist or is a zombie. */
export function findProcess(pid: number): ProcessInfo | undefined {
  if (!Number.isInteger(pid) || pid <= 0) return undefined;
  return existsSync('/proc/self/stat') ? readProc(pid) : readPs(pid);
}

function readProc(pid: number): ProcessInfo | undefined {
  try {
    // The command name (field 2) may contain spaces and parentheses, so fields are counted after the last ')'.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z' || fields[0] === 'X') return undefined;
    const commandLine = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    const bootId = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return { commandLine, startedAt: `${bootId}:${fields[19]}` };
  } catch {
    return undefined;
  }
}

function readPs(pid: number): ProcessInfo | undefined {
  try {
    const line = execFileSync('ps', ['-o', 'stat=,lstart=,command=', '-p', String(pid)], {
      encoding: 'utf8',
      env: { LC_ALL: 'C', PATH: '/usr/bin:/bin' },
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
    const [, state, startedAt, command] = /^(\S+)\s+(\S+\s+\S+\s+\S+\s+\S+\s+\S+)\s+(.*)$/.exec(line) ?? [];
    if (!state || !startedAt || !command || state.startsWith('Z')) return undefined;
    return { commandLine: `${command} `, startedAt };
  } catch {
    return undefined;
  }
}

/**
 * Ends a process that isn't a child of this process. Sends `signal`, then SIGKILL after 10 s. Compares start times,
 * because another process may reuse the pid.
 */
async function endProcess(pid: number, signal: NodeJS.Signals): Promise<void> {
  const target = findProcess(pid);
  if (!target) return;
  const isGone = () => (findProcess(pid)?.startedAt === target.startedAt ? undefined : true);
  trySignal(pid, signal);
  try {
    await pollUntil(isGone, { timeoutMs: 10_000, waitingFor: `for process ${pid} to end` });
  } catch {
    if (!isGone()) trySignal(pid, 'SIGKILL');
    await pollUntil(isGone, { timeoutMs: 5_000, waitingFor: `for process ${pid} to end after SIGKILL` });
  }
}

function trySignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    // ESRCH: the process has already exited.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

interface Orphan {
  pidFile: string;
  /**
   * A part of the process's command line. Compared before the process is ended, because another process may have reused
   * the pid.
   */
  marker: string;
  signal: NodeJS.Signals;
}

/**
 * Ends the process that a pid file names, which a killed starter left behind. Returns the process's pid, or undefined
 * if the process has already exited.
 */
export async function stopOrphan({ pidFile, marker, signal }: Orphan): Promise<number | undefined> {
  const pid = Number.parseInt(readText(pidFile) ?? '', 10);
  if (findProcess(pid)?.commandLine.includes(marker)) {
    await endProcess(pid, signal);
    return pid;
  }
  // Removes the stale file, because PostgreSQL refuses to start if its pid file names another process.
  rmSync(pidFile, { force: true });
  return undefined;
}

/** Returns the content of a file, or undefined if it doesn't exist. */
export function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
