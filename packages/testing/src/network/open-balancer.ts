import http from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * Opens a load balancer that sends requests to the servers from `setTargets` in turn. Each request uses its own
 * connection.
 */
export async function openBalancer() {
  let targets: readonly string[] = [];
  let next = 0;
  const server = http.createServer((request, response) => {
    next += 1;
    const target = targets[next % targets.length];
    if (!target) return void response.writeHead(502).end();
    const { method = 'GET', url = '', headers } = request;
    const forwarded = http.request(new URL(url, target), { method, headers, agent: false }, (reply) => {
      response.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(response);
      // Destroys the response if the reply was interrupted, because it must not look complete.
      reply.once('close', () => !reply.complete && response.destroy());
    });
    forwarded.once('error', () => (response.headersSent ? response.destroy() : response.writeHead(502).end()));
    response.once('close', () => forwarded.destroy());
    request.pipe(forwarded);
  });
  // Leave it to clients to close idle connections. Otherwise, a client could send a request on a connection that is
  // being closed.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Sets the servers for later requests. Requests in progress continue. */
    setTargets: (urls: readonly string[]) => {
      targets = urls;
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
