import type { Socket } from 'node:net';
import { Agent, buildConnector, type Dispatcher } from 'undici';

/**
 * Returns the address to connect to. Defaults to the address that was checked. Tests return their own server's address.
 */
export type Dial = (checked: { address: string; port: number }) => { address: string; port: number };
export type Network = { dial?: Dial; ca?: string };
/**
 * `connections` is the maximum number of concurrent connections. `receivedBytes` is how much data of any kind a
 * connection may receive before it is closed, in bytes.
 */
type PinnedOptions = Network & { connections?: number; receivedBytes: number };
/** `close` ends all connections, including those that aren't established yet. */
export type PinnedAgent = { dispatcher: Dispatcher; close: () => Promise<void> };

const connectMs = 5_000;
const headerBytes = 16 * 1024;
const countEveryMs = 100;

/**
 * Opens a dispatcher that connects only to the given IP addresses, without a lookup or proxy. The TLS certificate is
 * checked against the original host name.
 */
export function openPinnedAgent(addresses: readonly string[], options: PinnedOptions): PinnedAgent {
  const { dial = (checked) => checked, ca, connections = 1, receivedBytes } = options;
  // The cast adds the returned socket, which the connector's type omits.
  const connector = buildConnector({ timeout: connectMs, allowH2: false, ...(ca && { ca }) }) as (
    ...parameters: Parameters<buildConnector.connector>
  ) => Socket;
  const connecting = new Set<Socket>();
  let isClosed = false;
  const connect: buildConnector.connector = (options, callback) => {
    const tryNext = ([address = '', ...others]: readonly string[]) => {
      const { address: hostname, port } = dial({
        address,
        port: Number(options.port) || (options.protocol === 'http:' ? 80 : 443),
      });
      const socket = connector({ ...options, hostname, port: String(port) }, (...[error, connected]) => {
        connecting.delete(socket);
        if (error && others.length > 0 && !isClosed) return tryNext(others);
        if (error) return callback(error, null);
        limitReceived(connected, receivedBytes);
        callback(null, connected);
      });
      connecting.add(socket);
    };
    tryNext(addresses);
  };
  const agent = new Agent({ connect, connections, pipelining: 1, maxHeaderSize: headerBytes });
  return {
    dispatcher: agent,
    close: async () => {
      isClosed = true;
      for (const socket of connecting) socket.destroy(new Error('closed while connecting'));
      await agent.destroy();
    },
  };
}

/**
 * Closes a connection that receives too much data. Nothing else limits interim responses, chunk extensions, and 1-byte
 * chunks, and parsing an endless stream of them would block all other work.
 */
function limitReceived(socket: Socket, mostBytes: number): void {
  const count = () => {
    if (socket.bytesRead > mostBytes) socket.destroy(new Error('the server sent too much'));
  };
  const timer = setInterval(count, countEveryMs);
  socket.once('close', () => clearInterval(timer));
}
