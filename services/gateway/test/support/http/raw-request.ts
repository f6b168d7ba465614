import { once } from 'node:events';
import net from 'node:net';

export type RawReply = { status: number; headers: Headers; body: string; sentBytes: number };

/** Parses a reply, or returns `undefined` until its body is complete. */
function parseReply(received: Buffer): Omit<RawReply, 'sentBytes'> | undefined {
  const end = received.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const [line = '', ...rows] = received.subarray(0, end).toString('latin1').split('\r\n');
  const headers = new Headers(rows.map((row) => [row.slice(0, row.indexOf(':')), row.slice(row.indexOf(':') + 1)]));
  const body = received.subarray(end + 4);
  if (body.length < Number(headers.get('content-length') ?? 0)) return undefined;
  return { status: Number(line.split(' ')[1]), headers, body: body.toString() };
}

export type RawRequest = {
  url: string;
  head: readonly string[];
  body?: Iterable<Buffer> | AsyncIterable<Buffer>;
  /** Called with the open socket before anything is sent. */
  onSocket?: (socket: net.Socket) => void;
};

/**
 * Writes a raw request on a new socket and returns the reply, which may arrive before the body is sent.
 * @throws When the connection ends without a reply, or the body throws.
 */
export async function sendRaw({ url, head, body = [], onSocket }: RawRequest): Promise<RawReply> {
  const { hostname, port, host } = new URL(url);
  const socket = net.connect(Number(port), hostname);
  await once(socket, 'connect');
  onSocket?.(socket);
  let received = Buffer.alloc(0);
  const answered = new Promise<RawReply>((resolve, reject) => {
    socket.on('data', (data) => {
      received = Buffer.concat([received, data]);
      const reply = parseReply(received);
      if (reply) resolve({ ...reply, sentBytes: socket.bytesWritten });
    });
    socket.on('error', reject);
    socket.on('close', () => reject(new Error(`the connection ended after: ${received.toString('latin1')}`)));
  });
  let over = false;
  const ended = answered
    .catch(() => {})
    .finally(() => {
      over = true;
    });
  const send = async () => {
    socket.write(`${head.join('\r\n')}\r\nHost: ${host}\r\n\r\n`);
    for await (const data of body) {
      if (over) break;
      if (!socket.write(data)) await Promise.race([once(socket, 'drain').catch(() => {}), ended]);
    }
    return answered;
  };
  return Promise.race([answered, send()]).finally(() => socket.destroy());
}
