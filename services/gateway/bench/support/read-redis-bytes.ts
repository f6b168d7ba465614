import { once } from 'node:events';
import net from 'node:net';

/** Returns the memory usage that a Redis server reports, bytes. */
export async function readRedisBytes(url: string): Promise<number> {
  const { hostname, port, password } = new URL(url);
  const socket = net.connect(Number(port), hostname);
  socket.write(`${password ? `AUTH ${password}\r\n` : ''}INFO memory\r\n`);
  let answer = '';
  while (!/used_memory:\d+\r/.test(answer)) answer += String((await once(socket, 'data'))[0]);
  socket.destroy();
  return Number(/used_memory:(\d+)/.exec(answer)?.[1]);
}
