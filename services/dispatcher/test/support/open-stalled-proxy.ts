import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** Opens a proxy that never replies to requests whose URL contains one of the texts given to `stall`. */
export async function openStalledProxy(target: string) {
  const texts: string[] = [];
  let count = 0;
  const server = http.createServer((request, response) => {
    const { method = 'GET', url = '', headers } = request;
    if (texts.some((text) => url.includes(text))) {
      count += 1;
      return;
    }
    const forwarded = http.request(new URL(url, target), { method, headers }, (reply) => {
      response.writeHead(reply.statusCode ?? 500, reply.headers);
      reply.pipe(response);
    });
    request.pipe(forwarded);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stall: (text: string) => void texts.push(text),
    /** Requests that got no reply. */
    countStalled: () => count,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
