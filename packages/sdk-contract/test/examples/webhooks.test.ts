import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs/promises';
import http from 'node:http';
import path from 'node:path';
import { webhookSecretPrefix } from '@uprez/contracts/schemas/webhook-events';
import { signEvent } from '@uprez/domain/webhooks/event-message';
import { fileFixture } from '@uprez/testing/fixtures';
import { oldestNode } from '@uprez/testing/programs/node-programs';
import { isLeftOut } from '@uprez/testing/programs/toolchains';
import { describe, expect, it } from 'vitest';
import { openInstallFolder } from '../support/install-folder.ts';
import { examplesDir, openServer } from '../support/open-server.ts';
import { runIn, type Sdk, sdkDir, sdkNames } from '../support/sdks.ts';

const dirOf = (sdk: Sdk) => path.join(examplesDir, 'webhooks', sdk);
type Installed = Pick<Parameters<typeof openServer>[0], 'command' | 'cwd' | 'env'>;

/** Installs the SDK for the receiver of a language. `root`: an empty folder. */
const install: Record<Sdk, (root: string) => Promise<Installed>> = {
  node: async () => ({ cwd: dirOf('node'), command: () => [oldestNode, 'receiver.mjs'] }),
  python: async () => ({
    cwd: dirOf('python'),
    command: () => ['python3', 'receiver.py'],
    env: { PYTHONPATH: path.join(sdkDir('python'), 'src') },
  }),
  php: async (root) => {
    await fs.copyFile(path.join(dirOf('php'), 'receiver.php'), path.join(root, 'receiver.php'));
    await fs.symlink(sdkDir('php'), path.join(root, 'vendor'));
    return { cwd: root, command: (port) => ['php', '-S', `127.0.0.1:${port}`, 'receiver.php'] };
  },
  go: async (root) => {
    const program = path.join(root, 'receiver');
    await runIn('go', ['go', 'build', '-mod=readonly', '-o', program, '.'], { cwd: dirOf('go') });
    return { cwd: root, command: () => [program] };
  },
};

const makeSecret = () => `${webhookSecretPrefix}${randomBytes(24).toString('base64')}`;
const [current, previous, foreign] = [makeSecret(), makeSecret(), makeSecret()];

async function openReceiver(sdk: Sdk) {
  const folder = await openInstallFolder();
  const events = path.join(folder.root, 'events');
  const installed = await install[sdk](folder.root);
  const env = { ...installed.env, UPREZ_WEBHOOK_SECRET: `${current} ${previous}`, EVENTS_DIR: events };
  const server = await openServer({ ...installed, env });
  return {
    url: server.url,
    listEvents: async () => (await fs.readdir(events).catch(() => [])).sort(),
    readEvent: (id: string) => fs.readFile(path.join(events, `${id}.json`), 'utf8'),
    close: () => server.close().then(folder.close),
  };
}

const makeEvent = (filename = 'Übung.jpg') => {
  const id = randomUUID();
  const data = { id: randomUUID(), status: 'completed', filename };
  return { id, body: JSON.stringify({ id, type: 'job.completed', timestamp: new Date(), sandbox: false, data }) };
};
type Delivery = { id: string; body: string; at?: Date; secrets?: string[] };
/** Signs an event as the service does. */
const sign = ({ id, body, at = new Date(), secrets = [current] }: Delivery) => signEvent({ id, at, body, secrets });
const minutes = (count: number) => new Date(Date.now() + count * 60_000);

const forgeries: [string, (event: Delivery) => { body: string; headers: Record<string, string> }][] = [
  ['a changed body', (event) => ({ body: event.body.replace('completed', 'cancelled'), headers: sign(event) })],
  ['the ID of another event', (event) => ({ ...event, headers: { ...sign(event), 'webhook-id': randomUUID() } })],
  ['the secret of another endpoint', (event) => ({ ...event, headers: sign({ ...event, secrets: [foreign] }) })],
  ['an old delivery that is sent again', (event) => ({ ...event, headers: sign({ ...event, at: minutes(-10) }) })],
  ['a delivery from the future', (event) => ({ ...event, headers: sign({ ...event, at: minutes(10) }) })],
  ['no signature', (event) => ({ ...event, headers: {} })],
];

/** Sends only the headers of a large request, except to PHP's server, which reads the body first. */
async function sendLarge(url: string, sdk: Sdk): Promise<number | undefined> {
  const event = makeEvent('a'.repeat(300_000));
  const headers = { ...sign(event), 'content-length': Buffer.byteLength(event.body) };
  const request = http.request(url, { method: 'POST', headers, agent: false });
  if (sdk === 'php') request.end(event.body);
  else request.flushHeaders();
  const [response] = await once(request, 'response');
  request.on('error', () => undefined).destroy();
  return response.statusCode;
}

describe.each(sdkNames)('the webhook receiver in %s', (sdk) => {
  const receiver = describe.skipIf(isLeftOut(sdk));
  receiver('as a server', () => {
    const running = fileFixture(() => openReceiver(sdk));
    const deliver = async (event: { body: string }, headers: Record<string, string>) =>
      (await fetch(running.url, { method: 'POST', body: event.body, headers })).status;

    it('stores a signed event once, however often it is delivered', async () => {
      const event = makeEvent();
      for (const at of [minutes(-4), minutes(0)]) expect(await deliver(event, sign({ ...event, at }))).toBe(204);
      expect(await running.listEvents()).toEqual([`${event.id}.json`]);
      expect(await running.readEvent(event.id)).toBe(event.body);
    });

    it.each([
      ['the current secret', [current]],
      ['the previous secret', [previous]],
      ['both secrets', [previous, current]],
      ['a secret that it does not know, and the current one', [foreign, current]],
    ])('accepts an event that is signed with %s', async (_name, secrets) => {
      const event = makeEvent();
      expect(await deliver(event, sign({ ...event, secrets }))).toBe(204);
      expect(await running.listEvents()).toContain(`${event.id}.json`);
    });

    it.each(forgeries)('returns 400 to %s, and stores nothing', async (_name, forge) => {
      const before = await running.listEvents();
      const { body, headers } = forge(makeEvent());
      expect(await deliver({ body }, headers)).toBe(400);
      expect(await running.listEvents()).toEqual(before);
    });

    it('returns 413 to a large body, even if it is signed', async () => {
      expect(await sendLarge(running.url, sdk)).toBe(413);
    });
  });

  receiver('without a secret', () => {
    it('accepts no event', async () => {
      const folder = await openInstallFolder();
      try {
        const installed = await install[sdk](folder.root);
        const started = openServer({ ...installed, env: { ...installed.env, EVENTS_DIR: folder.root } });
        if (sdk !== 'php') return await expect(started).rejects.toThrow(/Set UPREZ_WEBHOOK_SECRET/);
        const { url, close } = await started;
        const event = makeEvent();
        const { status } = await fetch(url, { method: 'POST', body: event.body, headers: sign(event) });
        await close();
        expect(status).toBe(500);
      } finally {
        await folder.close();
      }
    });
  });
});

it.skipIf(isLeftOut('go'))('the receiver in Go is formatted', async () => {
  expect(await runIn('go', ['gofmt', '-l', '.'], { cwd: dirOf('go') })).toBe('');
});
