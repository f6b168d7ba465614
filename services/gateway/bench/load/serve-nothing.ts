import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** A bare server that reads every body and keeps nothing; answers its URL and serves until it is ended or its parent is gone. */
const server = http.createServer((request, response) => {
  request.resume().once('end', () => response.writeHead(202).end());
});
server.listen(0, '127.0.0.1', () => {
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
process.once('disconnect', () => process.exit());
