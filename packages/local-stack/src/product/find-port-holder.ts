import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { findProcess } from '../find-process.ts';

const LISTENING = '0A';

/**
 * Returns the process that listens on a TCP port, as "process 123: node server.js". Returns undefined on other systems than
 * Linux, and for processes of other users unless the current user is root.
 */
export function findPortHolder(port: number): string | undefined {
  try {
    const inodes = ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((table) => listInodes(table, port));
    const pid = readdirSync('/proc').find((name) => /^\d+$/.test(name) && holdsSocket(name, inodes));
    return pid && `process ${pid}: ${findProcess(Number(pid))?.commandLine.trim().slice(0, 120)}`;
  } catch {
    return undefined;
  }
}

/** Columns: sl, local address (hex ip:port), remote address, state, ..., inode as the tenth. */
function listInodes(table: string, port: number): string[] {
  const hexPort = port.toString(16).toUpperCase().padStart(4, '0');
  const rows = readFileSync(table, 'utf8').trim().split('\n').slice(1);
  return rows
    .map((row) => row.trim().split(/\s+/))
    .filter((columns) => columns[1]?.endsWith(`:${hexPort}`) && columns[3] === LISTENING)
    .map((columns) => `socket:[${columns[9]}]`);
}

function holdsSocket(pid: string, sockets: string[]): boolean {
  try {
    const folder = `/proc/${pid}/fd`;
    return readdirSync(folder).some((fd) => sockets.includes(readlinkSync(`${folder}/${fd}`)));
  } catch {
    return false;
  }
}
