import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream';

/** Opens a proxy that forwards requests to `target` and counts them. */
export async function openCountingProxy(target: string) {
  let count = 0;
  const agent = new http.Agent({ keepAlive: true });
  const server = http.createServer((request, response) => {
    count += 1;
    const { method, headers, url } = request;
    const passed = http.request(target + url, { agent, method, headers }, (reply) => {
      response.writeHead(reply.statusCode ?? 502, reply.headers);
      pipeline(reply, response, () => {});
    });
    passed.once('error', () => response.destroy());
    pipeline(request, passed, () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Returns the number of requests since the previous call. */
    take: () => {
      const taken = count;
      count = 0;
      return taken;
    },
    close: () => {
      agent.destroy();
      server.closeAllConnections();
      server.close();
    },
  };
}
