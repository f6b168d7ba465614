import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { generate } from 'selfsigned';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** A public IP address that is never contacted, because connections to it are redirected to the site. */
const publicAddress = '93.184.215.14';

/**
 * Opens a TLS server for tests that fetch URLs, with a new certificate for `images.example` and its subdomains.
 * `network` resolves every host to a public IP address, and redirects connections to that address to the server.
 * `requests`: all requests, in order.
 */
export async function openTlsSite(handler: Handler) {
  const altNames = ['images.example', '*.images.example'].map((value) => ({ type: 2 as const, value }));
  const certificate = await generate([{ name: 'commonName', value: 'images.example' }], {
    keyType: 'ec',
    extensions: [
      { name: 'basicConstraints', cA: true },
      { name: 'subjectAltName', altNames },
    ],
  });
  const requests: IncomingMessage[] = [];
  const server = https.createServer({ key: certificate.private, cert: certificate.cert }, (request, response) => {
    requests.push(request);
    handler(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const dialled: { address: string; port: number }[] = [];
  return {
    requests,
    dialled,
    network: {
      ca: certificate.cert,
      resolve: async (_host: string) => [publicAddress],
      dial: (checked: { address: string; port: number }) => {
        dialled.push(checked);
        return checked.address === publicAddress && checked.port === 443 ? { address: '127.0.0.1', port } : checked;
      },
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
export type TlsSite = Awaited<ReturnType<typeof openTlsSite>>;
