import { readFileSync } from 'node:fs';

/** Linux measures CPU time in hundredths of a second. */
const MS_PER_TICK = 10;

/**
 * Returns the CPU time that a process has used, in milliseconds. Unlike the elapsed time, it doesn't depend on the load
 * of the machine. The time of other processes is read from /proc. Throws if /proc doesn't exist, or if the process has
 * ended.
 */
export function cpuTimeMs(pid = process.pid): number {
  if (pid === process.pid) {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  }
  // The second field is the command in parentheses and may contain spaces. utime and stime are fields 14 and 15.
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK;
}
