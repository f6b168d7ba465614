import { once } from 'node:events';
import { WebSocket } from 'undici';
import type { SpawnedService } from './spawn-service.ts';

/** Environment variables that open a service's inspector on a port that the system chooses. */
export const inspectedEnv = { NODE_OPTIONS: '--inspect=0' };

/**
 * Forces a garbage collection in a service that runs with `inspectedEnv`. Afterward, its memory usage shows only live
 * objects. Without this call, Node.js keeps garbage while memory is free.
 */
export async function collectGarbage({ name, lines }: Pick<SpawnedService, 'name' | 'lines'>): Promise<void> {
  const url = lines.map((line) => /^Debugger listening on (ws:\S+)$/.exec(line)?.[1]).find(Boolean);
  if (!url) throw new Error(`The ${name} runs without an inspector.`);
  const socket = new WebSocket(url);
  await once(socket, 'open');
  try {
    const answered = once(socket, 'message');
    socket.send(JSON.stringify({ id: 1, method: 'HeapProfiler.collectGarbage' }));
    const [answer] = await answered;
    if (!('result' in JSON.parse(answer.data))) throw new Error(`The ${name} collected no garbage: ${answer.data}`);
  } finally {
    socket.close();
  }
}
