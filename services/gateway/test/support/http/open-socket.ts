import { once } from 'node:events';
import net from 'node:net';

/** Opens a connection to send raw bytes and collect what comes back. Without `reads`, nothing is taken from it. */
export async function openSocket(url: string, { reads = true } = {}) {
  const { hostname, port } = new URL(url);
  const socket = net.connect({ port: Number(port), host: hostname, allowHalfOpen: true });
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
