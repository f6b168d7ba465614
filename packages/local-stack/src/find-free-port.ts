import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Ports below every system's range for outgoing connections (Linux starts at 32768). A server inside that range that is
 * down for a moment may lose its port to a client, and a client that keeps reconnecting may end up connected to itself.
 */
const FIRST_PORT = 15_000;
const LAST_PORT = 32_000;

/** Returns a TCP port on which nothing listens on 127.0.0.1 right now. Throws when 50 random ones were all taken. */
export async function findFreePort(): Promise<number> {
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const port = randomInt(FIRST_PORT, LAST_PORT);
    if (await isPortFree(port, '127.0.0.1')) return port;
  }
  throw new Error(`no free TCP port found between ${FIRST_PORT} and ${LAST_PORT}`);
}

/** Tells whether a server could listen on `port`; without `host` on all addresses, as the gateway does. */
export function isPortFree(port: number, host?: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host }, () => server.close(() => resolve(true)));
  });
}
