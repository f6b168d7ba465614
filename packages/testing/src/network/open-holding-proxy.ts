import { EventEmitter, once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * Opens a proxy that holds responses for a path prefix until `release` is called. `held` resolves once the first
 * response is being held.
 * @param heldMethod the method of the requests whose responses are held, or undefined for all
 */
export async function openHoldingProxy(target: string, path: string, heldMethod?: string) {
  const signals = new EventEmitter();
  const released = once(signals, 'released');
  const held = once(signals, 'held');
  const server = http.createServer((request, response) => {
    const { method = 'GET', url = '', headers } = request;
    const forwarded = http.request(new URL(url, target), { method, headers }, async (reply) => {
      const chunks: Buffer[] = [];
      for await (const chunk of reply) chunks.push(chunk as Buffer);
      if (url.startsWith(path) && (!heldMethod || method === heldMethod)) {
        signals.emit('held');
        await released;
      }
      response.writeHead(reply.statusCode ?? 500, reply.headers).end(Buffer.concat(chunks));
    });
    request.pipe(forwarded);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    held,
    release: () => signals.emit('released'),
    close: () => {
      signals.emit('released');
      server.closeAllConnections();
      server.close();
    },
  };
}
