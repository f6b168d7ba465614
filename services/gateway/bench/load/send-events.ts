import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import { signPayload } from '@uprez/local-stack/stripe/events/open-deliverer';
import { sendAtRate, sendInLoop } from './send-at-rate.ts';

/**
 * Sends `count` signed events of Stripe about the customers in turn, or `GET /api/user` if there is a cookie: at `perSecond`,
 * or `parallel` at once.
 */
export type EventLoad = {
  url: string;
  secret: string;
  customerIds: string[];
  cookie?: string;
  count: number;
  perSecond?: number;
  parallel: number;
};

const { url, secret, customerIds, cookie, count, perSecond, parallel }: EventLoad = JSON.parse(process.argv[2] ?? '');
const agent = new http.Agent({ keepAlive: true, maxSockets: 128 });

async function complete(request: http.ClientRequest): Promise<number> {
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  await once(response.resume(), 'end');
  return response.statusCode ?? 0;
}

function sendEvent(index: number): Promise<number> {
  const time = Math.floor(Date.now() / 1_000);
  const object = { id: `in_${index}`, object: 'invoice', customer: customerIds[index % customerIds.length] };
  const event = { id: `evt_${randomUUID()}`, object: 'event', type: 'invoice.paid', created: time, livemode: false };
  const body = JSON.stringify({ ...event, data: { object } });
  const signature = signPayload(body, { secret, time });
  const headers = { 'content-type': 'application/json', 'stripe-signature': signature };
  return complete(http.request(`${url}/api/stripe/webhook`, { agent, method: 'POST', headers }).end(body));
}
const readUser = () => complete(http.get(`${url}/api/user`, { agent, headers: { cookie } }));

const send = cookie === undefined ? sendEvent : readUser;
const answers = perSecond
  ? await sendAtRate({ perSecond, warmUpS: 0, seconds: count / perSecond }, send)
  : await sendInLoop({ count, parallel }, send);
process.send?.(answers);
