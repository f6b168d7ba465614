import { rmSync } from 'node:fs';
import { findProcess } from './find-process.ts';
import { readText } from './instance-lock.ts';
import { pollUntil } from './poll-until.ts';

/**
 * Ends a process that is not a child of this one: sends `signal`, and SIGKILL after 10 s. Compares start times, so a
 * reused pid is never signaled.
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
    // ESRCH: it has exited in the meantime.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

interface Orphan {
  pidFile: string;
  /** A part of its command line. Another process may have its pid now. */
  marker: string;
  signal: NodeJS.Signals;
}

/** Ends the process that a killed starter left behind, found by its pid file. Returns the pid that it ended. */
export async function stopOrphan({ pidFile, marker, signal }: Orphan): Promise<number | undefined> {
  const pid = Number.parseInt(readText(pidFile) ?? '', 10);
  if (findProcess(pid)?.commandLine.includes(marker)) {
    await endProcess(pid, signal);
    return pid;
  }
  // PostgreSQL refuses to start if its pid file names another process.
  rmSync(pidFile, { force: true });
  return undefined;
}
