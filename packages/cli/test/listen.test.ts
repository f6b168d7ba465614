import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { text } from 'node:stream/consumers';
import { Uprez, verifyWebhook } from '@uprez/sdk-node';
import { fileFixture } from '@uprez/testing/fixtures';
import { makeImage } from '@uprez/testing/make-image';
import { startApiProduct } from '@uprez/testing/products/start-test-product';
import { waitUntil } from '@uprez/testing/wait-until';
import { expect, it, onTestFinished } from 'vitest';
import { startCli } from './support/run-cli.ts';

const api = fileFixture(() => startApiProduct());

/** A server on this machine that receives events. */
async function openReceiver() {
  const calls: { path: string; headers: IncomingHttpHeaders; body: string }[] = [];
  const server = createServer(async (request, response) => {
    calls.push({ path: request.url ?? '', headers: request.headers, body: await text(request) });
    response.writeHead(204).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { url: `http://localhost:${port}`, find: (path: string) => calls.find((call) => call.path === path) };
}

it('"uprez listen" and a loopback endpoint of the sandbox receive the same signed event', async () => {
  const receiver = await openReceiver();
  const apiKey = await api.makeKey({ kind: 'test', scopes: ['process', 'read', 'webhooks'] });
  const client = new Uprez({ apiKey, baseUrl: api.product.url });
  const { secret } = await client.webhooks.create({ url: `${receiver.url}/webhook`, events: ['job.completed'] });
  const args = ['listen', '--forward-to', `${receiver.url}/listen`, '--json'];
  const cli = startCli(args, { cwd: tmpdir(), env: { UPREZ_API_KEY: apiKey, UPREZ_URL: api.product.url } });
  onTestFinished(() => cli.kill('SIGKILL'));
  const [, own = ''] = await waitUntil(() => /Signing secret: (whsec_\S+)/.exec(cli.output()) ?? undefined);
  const { id } = await client.process(await makeImage({ width: 20, height: 20 }), { engine: 'standard' });
  const received = await waitUntil(() => receiver.find('/listen'), { what: 'the forwarded event' });
  const delivered = await waitUntil(() => receiver.find('/webhook'), { what: 'the delivery' });
  const event = verifyWebhook(received.body, received.headers, own);
  expect(event).toMatchObject({ type: 'job.completed', sandbox: true, data: { id } });
  expect(verifyWebhook(delivered.body, delivered.headers, secret)).toEqual(event);
  expect(received.headers['webhook-id']).toBe(delivered.headers['webhook-id']);
  await waitUntil(() => cli.output().includes(`"id":"${event.id}","type":"job.completed","status":204`));
  cli.kill('SIGINT');
  expect((await cli.ended).code).toBe(130);
});

it('rejects loopback endpoints of live keys', async () => {
  const client = new Uprez({ apiKey: await api.makeKey({ scopes: ['webhooks'] }), baseUrl: api.product.url });
  const create = client.webhooks.create({ url: 'http://localhost:3000/hook', events: [] });
  await expect(create).rejects.toMatchObject({ code: 'url_not_allowed' });
});
