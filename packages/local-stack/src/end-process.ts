import { findProcess } from './find-process.ts';
import { pollUntil } from './poll-until.ts';

/**
 * Ends a process that is not our child (a child has an exit event): sends `signal`, waits up to `graceMs`, then SIGKILL.
 * The start time is compared while waiting, so a pid that was used again is never hit.
 */
export async function endProcess(pid: number, signal: NodeJS.Signals, graceMs = 10_000): Promise<void> {
  const target = findProcess(pid);
  if (!target) return;
  const gone = () => (findProcess(pid)?.startedAt === target.startedAt ? undefined : true);
  trySignal(pid, signal);
  try {
    await pollUntil(gone, { timeoutMs: graceMs, waitingFor: `for process ${pid} to end` });
  } catch {
    if (!gone()) trySignal(pid, 'SIGKILL');
    await pollUntil(gone, { timeoutMs: 5_000, waitingFor: `for process ${pid} to end after SIGKILL` });
  }
}

function trySignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    // It ended between the look and the signal: what we wanted.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
