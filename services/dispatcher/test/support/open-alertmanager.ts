import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { startProgram } from './start-program.ts';

/** What Alertmanager posts (prometheus.io/docs/alerting/latest/configuration/#webhook_config). */
export type Notification = {
  receiver: string;
  alerts: { status: string; labels: Record<string, string>; annotations: Record<string, string> }[];
};

/** Starts Alertmanager with `config`, whose receivers are replaced by one that keeps the notifications, without waits. */
export async function openAlertmanager(config: string) {
  const notifications: Notification[] = [];
  const server = http.createServer(async (request, response) => {
    notifications.push((await json(request)) as Notification);
    response.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const program = await startProgram({
    command: 'prometheus-alertmanager',
    config: config.replaceAll(/"http:[^"]*"/g, url).replace(/group_wait: \w+/, 'group_wait: 1ms'),
    args: ['--storage.path=data', '--cluster.listen-address='],
  });
  const close = async () => {
    await program.close();
    server.closeAllConnections();
    server.close();
  };
  return { address: program.address, notifications, close };
}
