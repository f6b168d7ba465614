import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Ports below the range of outgoing connections (Linux: from 32768). Within that range, a restarting server may lose its port
 * to a client, and a client that reconnects may connect to itself.
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

/** Tells whether a server can listen on `port`. Without `host`, on all addresses, as the gateway does. */
export function isPortFree(port: number, host?: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host }, () => server.close(() => resolve(true)));
  });
}
