import { once } from 'node:events';
import net, { type AddressInfo, type Socket } from 'node:net';

/** Opens a TCP proxy. `cut` closes all connections and rejects new ones. */
export async function openCuttableProxy(target: { host: string; port: number }) {
  const sockets = new Set<Socket>();
  let isCut = false;
  const server = net.createServer((client) => {
    if (isCut) return void client.destroy();
    const upstream = net.connect(target);
    const pair = [client, upstream] as const;
    for (const socket of pair) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        for (const one of pair) one.destroy();
      });
    }
    client.pipe(upstream).pipe(client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = () => {
    isCut = true;
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    cut,
    close: () => {
      cut();
      server.close();
    },
  };
}
