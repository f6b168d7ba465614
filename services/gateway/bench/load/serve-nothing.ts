import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** A plain server that reads and discards all bodies. Sends its URL to its parent, and runs until the parent exits. */
const server = http.createServer((request, response) => {
  request.resume().once('end', () => response.writeHead(202).end());
});
server.listen(0, '127.0.0.1', () => {
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
process.once('disconnect', () => process.exit());
