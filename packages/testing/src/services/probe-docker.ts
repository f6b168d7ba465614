import { get, type RequestOptions } from 'node:http';
import { dockerHost } from './config.ts';

const TIMEOUT_MS = 1_500;

/**
 * Tells whether a Docker engine answers. Asked before testcontainers is imported, which takes 0.4 s, while this takes
 * 8 ms. Engines behind TLS or SSH count as absent.
 */
export function probeDocker(): Promise<boolean> {
  const host = new URL(dockerHost());
  if (host.protocol !== 'unix:' && host.protocol !== 'tcp:') return Promise.resolve(false);
  const address: RequestOptions =
    host.protocol === 'unix:' ? { socketPath: host.pathname } : { host: host.hostname, port: host.port || 2375 };
  return new Promise((resolve) => {
    const request = get({ ...address, path: '/_ping', timeout: TIMEOUT_MS }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    request.on('error', () => resolve(false));
    request.on('timeout', () => request.destroy());
  });
}
