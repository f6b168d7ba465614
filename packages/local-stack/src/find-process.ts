import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

export interface ProcessInfo {
  /** Arguments, each followed by a space, so that `-D /a ` doesn't match `-D /ab`. */
  commandLine: string;
  /** Opaque. Identifies a process together with its pid, which may be reused. */
  startedAt: string;
}

/** Returns the process with a pid, or undefined when there is none or only a zombie. */
export function findProcess(pid: number): ProcessInfo | undefined {
  if (!Number.isInteger(pid) || pid <= 0) return undefined;
  return existsSync('/proc/self/stat') ? readProc(pid) : readPs(pid);
}

function readProc(pid: number): ProcessInfo | undefined {
  try {
    // The command name (field 2) may hold spaces and parentheses, so fields are counted after the last ')'.
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
