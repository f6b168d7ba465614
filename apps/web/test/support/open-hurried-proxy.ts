import { once } from 'node:events';
import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * Opens a proxy to the service at `url`. The proxy requests asynchronous responses, which immediately return an
 * unfinished job for a new image.
 */
export async function openHurriedProxy(url: string) {
  const server = createServer((request, response) => {
    const headers = { ...request.headers, prefer: 'respond-async', host: new URL(url).host };
    const forward = send(`${url}${request.url}`, { method: request.method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    forward.on('error', () => response.destroy());
    request.pipe(forward);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
