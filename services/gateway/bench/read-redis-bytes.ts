import { once } from 'node:events';
import net from 'node:net';

/** Bytes that a Redis server holds, as it says itself. */
export async function readRedisBytes(url: string): Promise<number> {
  const { hostname, port } = new URL(url);
  const socket = net.connect(Number(port), hostname);
  socket.write('INFO memory\r\n');
  const [answer] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  return Number(/used_memory:(\d+)/.exec(answer.toString())?.[1]);
}
