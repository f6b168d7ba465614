import { randomInt } from 'node:crypto';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { findProcess } from './find-process.ts';

/**
 * Port range below the ephemeral ports, which start at 32768 on Linux. If a server used an ephemeral port, a client
 * could take the port while the server restarts, and a client that reconnects could connect to itself.
 */
const FIRST_PORT = 15_000;
const LAST_PORT = 32_000;

/** Returns a TCP port that is free on 127.0.0.1. Throws when 50 random ports are taken. */
export async function findFreePort(): Promise<number> {
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const port = randomInt(FIRST_PORT, LAST_PORT);
    if (await isPortFree(port, '127.0.0.1')) return port;
  }
  throw new Error(`no free TCP port found between ${FIRST_PORT} and ${LAST_PORT}`);
}

/**
 * Returns the preferred port if it is free on 127.0.0.1, and otherwise another free port. The preferred port keeps URLs
 * stable across starts.
 */
export async function choosePort(preferred: number | undefined): Promise<number> {
  if (preferred !== undefined && preferred <= 65_535 && (await isPortFree(preferred, '127.0.0.1'))) return preferred;
  return findFreePort();
}

/**
 * Returns whether a server can listen on `port`. Checks `host`, or all addresses by default, because the gateway
 * listens on all addresses.
 */
export function isPortFree(port: number, host?: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host }, () => server.close(() => resolve(true)));
  });
}

/** Throws an error that names the process listening on the port, unless the port is free. */
export async function requireFreePort(port: number): Promise<void> {
  if (await isPortFree(port)) return;
  const holder = findPortHolder(port) ?? 'a process of another user';
  throw new Error(`Port ${port} is in use by ${holder}. Stop it, or set PORT to another port.`);
}

const LISTENING = '0A';

/**
 * Returns a description of the process that listens on a TCP port, such as "process 123: node server.js". Returns
 * undefined on systems other than Linux, and for processes of other users unless the current user is root.
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

/**
 * Returns the sockets that listen on a port, in the form `socket:[INODE]`. The second column of the table is the local
 * address (ip:port, in hexadecimal), the fourth is the state, and the tenth is the inode.
 */
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

/** Whether a Host header names a loopback address. Rejecting other names prevents DNS rebinding. */
export const isLoopbackName = (host = ''): boolean => /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(host);
