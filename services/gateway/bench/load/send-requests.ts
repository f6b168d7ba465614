import http from 'node:http';
import { sendAtRate } from './send-at-rate.ts';

/** Sends GET requests for the URLs in turn at `perSecond`. The first `warmUpS` seconds do not count. */
export type Requests = {
  urls: string[];
  cookie: string;
  perSecond: number;
  warmUpS: number;
  seconds: number;
  expected?: number;
};

const timeoutMs = 10_000;
const { urls, cookie, ...rate }: Requests = JSON.parse(process.argv[2] ?? '');
const agent = new http.Agent({ keepAlive: true, maxSockets: 128 });

function get(url: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = http.get(url, { agent, headers: { cookie }, timeout: timeoutMs }, (response) => {
      response.resume().once('error', reject);
      response.once('end', () => resolve(response.statusCode ?? 0));
    });
    request.once('error', reject);
    request.once('timeout', () => request.destroy(new Error('timeout')));
  });
}

process.send?.(await sendAtRate(rate, (index) => get(urls[index % urls.length] ?? '')));
