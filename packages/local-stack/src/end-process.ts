import { findProcess } from './find-process.ts';
import { pollUntil } from './poll-until.ts';

/**
 * Ends a process that is not a child of this one: sends `signal`, and SIGKILL after `graceMs`. Compares start times, so a
 * reused pid is never signaled.
 */
export async function endProcess(pid: number, signal: NodeJS.Signals, graceMs = 10_000): Promise<void> {
  const target = findProcess(pid);
  if (!target) return;
  const isGone = () => (findProcess(pid)?.startedAt === target.startedAt ? undefined : true);
  trySignal(pid, signal);
  try {
    await pollUntil(isGone, { timeoutMs: graceMs, waitingFor: `for process ${pid} to end` });
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
