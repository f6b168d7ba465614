import { readFileSync, writeFileSync } from 'node:fs';

const pollMs = 100;

export type MemoryWatch = {
  /** Forget what was held so far. */
  reset: () => void;
  /** Most resident bytes since the last reset; 0 on a system without /proc. */
  peakBytes: () => number;
  close: () => void;
};
export type Watched = { pid: number; limitBytes: number; onExceeded: () => void };

/** In kB, not in pages: their size differs between kernels. */
function statusBytes(pid: number, field: 'VmRSS' | 'VmHWM'): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return 1_024 * Number(new RegExp(`^${field}:\\s*(\\d+) kB$`, 'm').exec(status)?.[1] ?? 0);
  } catch {
    return 0; // gone already, or no /proc on this system
  }
}

/** Lower the kernel's high-water mark to what is held now (proc(5): 5 to clear_refs). Answers whether that worked. */
function resetMark(pid: number): boolean {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, '5');
    return true;
  } catch {
    return false;
  }
}

/** Watch the resident memory of a process: polled against its limit as in the services, the peak from the kernel's own mark. */
export function watchMemory({ pid, limitBytes, onExceeded }: Watched): MemoryWatch {
  let seen = 0;
  let isMarkFresh = false;
  const poll = () => {
    const held = statusBytes(pid, 'VmRSS');
    seen = Math.max(seen, held);
    if (held > limitBytes) onExceeded();
  };
  const timer = setInterval(poll, pollMs);
  return {
    reset: () => {
      seen = 0;
      isMarkFresh = resetMark(pid);
    },
    peakBytes: () => {
      poll();
      return isMarkFresh ? Math.max(seen, statusBytes(pid, 'VmHWM')) : seen;
    },
    close: () => clearInterval(timer),
  };
}
