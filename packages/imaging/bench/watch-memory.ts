import { readFileSync } from 'node:fs';

const pageBytes = 4_096;
const pollMs = 20;

/** Samples a process's resident memory (field 2 of /proc/<pid>/statm, pages). `stop` returns the maximum, bytes. */
export function watchMemory(pid: number | undefined): { stop: () => number } {
  let most = 0;
  const look = () => {
    try {
      const [, resident = 0] = readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ').map(Number);
      most = Math.max(most, resident * pageBytes);
    } catch {
      // The process has ended.
    }
  };
  const poll = setInterval(look, pollMs);
  return {
    stop: () => {
      clearInterval(poll);
      return most;
    },
  };
}
