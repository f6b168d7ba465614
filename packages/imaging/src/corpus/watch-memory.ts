import { readFileSync, writeFileSync } from 'node:fs';

const pollMs = 100;

/** /proc/PID/status has kB, independent of the kernel's page size. */
function statusBytes(pid: number, field: 'VmRSS' | 'VmHWM'): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return 1_024 * Number(new RegExp(`^${field}:\\s*(\\d+) kB$`, 'm').exec(status)?.[1] ?? 0);
  } catch {
    return 0; // The process has exited, or there is no /proc.
  }
}

/** Reset the kernel's high-water mark (proc(5): 5 to clear_refs). Returns whether it succeeded. */
function resetMark(pid: number): boolean {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, '5');
    return true;
  } catch {
    return false;
  }
}

/** Poll the resident memory of a process against a limit, and measure its peak. */
export function watchMemory({
  pid,
  limitBytes,
  onExceeded,
}: {
  pid: number;
  limitBytes: number;
  onExceeded: () => void;
}) {
  let seen = 0;
  let isMarkFresh = false;
  const poll = () => {
    const held = statusBytes(pid, 'VmRSS');
    seen = Math.max(seen, held);
    if (held > limitBytes) onExceeded();
  };
  const timer = setInterval(poll, pollMs);
  return {
    /** Start a new measurement of the peak. */
    reset: () => {
      seen = 0;
      isMarkFresh = resetMark(pid);
    },
    /** Peak since the last reset, or 0 without /proc. */
    peakBytes: () => {
      poll();
      return isMarkFresh ? Math.max(seen, statusBytes(pid, 'VmHWM')) : seen;
    },
    close: () => clearInterval(timer),
  };
}
