import type { ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import { findJailedPid, type Jail } from './jail.ts';

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
