import { once } from 'node:events';
import http from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

/** Opens event streams for `seconds`, ten for each cookie, and 50 from each address of 127.0.0.0/8. */
export type Streams = { url: string; cookies: string[]; perCookie: number; seconds: number };
/** `ended`: streams that ended too early. */
export type HeldStreams = { opened: number; ended: number; events: number; errors: Record<string, number> };

const perAddress = 50;
const { url, cookies, perCookie, seconds }: Streams = JSON.parse(process.argv[2] ?? '');
const held: HeldStreams = { opened: 0, ended: 0, events: 0, errors: {} };
const countError = (what: string) => {
  held.errors[what] = (held.errors[what] ?? 0) + 1;
};

async function open(cookie: string, index: number): Promise<http.ClientRequest> {
  const localAddress = `127.0.1.${1 + Math.floor(index / perAddress)}`;
  const headers = { cookie, accept: 'text/event-stream' };
  const request = http.get(`${url}/api/events`, { agent: false, localAddress, headers });
  request.on('error', (error) => countError(error.message));
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  if (response.statusCode !== 200) countError(`status ${response.statusCode}`);
  held.opened += 1;
  response.on('data', () => {
    held.events += 1;
  });
  response.once('close', () => {
    held.ended += 1;
  });
  response.on('error', () => {});
  return request;
}

const requests: http.ClientRequest[] = [];
const owners = cookies.flatMap((cookie) => Array<string>(perCookie).fill(cookie));
for (const [index, cookie] of owners.entries()) requests.push(await open(cookie, index));
await delay(seconds * 1_000);
process.send?.({ ...held });
for (const request of requests) request.destroy();
