import { once } from 'node:events';
import net from 'node:net';

type SocketOptions = {
  /** Without it, nothing is taken from the connection. */
  reads?: boolean;
  /** The loopback address of the client. */
  from?: string;
};

/** Opens a connection to send raw bytes and collect what comes back. */
export async function openSocket(url: string, { reads = true, from }: SocketOptions = {}) {
  const { hostname, port } = new URL(url);
  const local = from === undefined ? {} : { localAddress: from };
  const socket = net.connect({ port: Number(port), host: hostname, allowHalfOpen: true, ...local });
  const chunks: Buffer[] = [];
  let isEnded = false;
  let isClosed = false;
  socket.on('error', () => {});
  socket.once('close', () => (isClosed = true)).once('end', () => (isEnded = true));
  if (reads) socket.on('data', (chunk) => chunks.push(chunk));
  await once(socket, 'connect');
  return {
    socket,
    received: () => Buffer.concat(chunks).toString('latin1'),
    /** Whether the server has closed its side. */
    isEnded: () => isEnded,
    isClosed: () => isClosed,
  };
}
