import type { IncomingMessage, ServerResponse } from 'node:http';
import type { V1Batch } from '@uprez/contracts/v1/schemas';
import { checkLedger } from '@uprez/domain/usage/check-ledger';
import { fileFixture, testFixture } from '@uprez/testing/fixtures';
import { makeImage } from '@uprez/testing/make-image';
import { openTlsSite } from '@uprez/testing/network/open-tls-site';
import { waitUntil } from '@uprez/testing/wait-until';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestGateway } from '../support/start-test-gateway.ts';
import { expectV1Refused, json, openV1Caller, type V1Caller } from '../support/v1-calls.ts';

/** The image at `/later`, or `undefined` while that path returns 404. */
let later: Buffer | undefined;

type Page = (request: IncomingMessage, response: ServerResponse) => void;
const gone: Page = (_request, response) => response.writeHead(404).end();
const pages: Record<string, Page> = {
  '/a/holiday%20photo.png?size=1': (_request, response) => response.end(image),
  '/page': (_request, response) => response.end('<html>no image</html>'),
  '/inside': (_request, response) => response.writeHead(302, { location: 'https://127.0.0.1/secret' }).end(),
  '/later': (_request, response) => (later ? response.end(later) : response.writeHead(404).end()),
};
const image = await makeImage({ width: 40, height: 30 });
const site = fileFixture(() =>
  openTlsSite((request, response) => (pages[request.url ?? ''] ?? gone)(request, response)),
);
const gateway = fileFixture(() => startTestGateway({}, site.network));
const caller = testFixture(() => openV1Caller(gateway));
beforeEach(async () => {
  later = undefined;
});
afterAll(async () => {
  expect((await checkLedger(gateway.ctx)).errors).toEqual([]);
});

const at = (path: string) => `https://images.example${path}`;
const read = async (answer: Response) => (await answer.json()) as V1Batch;
const itemsAt = (...paths: string[]) => paths.map((path, index) => ({ client_id: `c${index}`, image_url: at(path) }));
const announce = async (items: object[], by = caller) => {
  const answer = await by.call('POST', '/v1/batches', json({ recipe: { engine: 'standard' }, items }));
  expect(answer.status).toBe(201);
  return read(answer);
};
/** Returns the batch once no item is waiting. */
const fetched = ({ id }: V1Batch, by = caller) =>
  waitUntil(
    async () => {
      const batch = await read(await by.call('GET', `/v1/batches/${id}`));
      return batch.counts.waiting === 0 && batch;
    },
    { what: 'the images of the batch' },
  );
const unitsLeft = async () => Number((await caller.call('GET', '/v1/account')).headers.get('x-credits-remaining'));

describe('a batch of image URLs', () => {
  it('creates a job for each image, and fails only the items whose URL fails, at no cost', async () => {
    const before = await unitsLeft();
    const batch = await announce([
      ...itemsAt('/a/holiday%20photo.png?size=1', '/page', '/inside', '/gone'),
      { client_id: 'named', name: 'mine.png', image_url: at('/a/holiday%20photo.png?size=1') },
    ]);
    expect(batch.items.map(({ upload_url }) => upload_url)).toEqual([null, null, null, null, null]);
    const { items } = await fetched(batch);
    expect(items.map(({ name, status, error }) => [name, error?.code ?? status])).toEqual([
      ['holiday photo.png', 'queued'],
      ['page', 'unsupported_format'],
      ['inside', 'url_not_allowed'],
      ['gone', 'url_unreachable'],
      ['mine.png', 'queued'],
    ]);
    expect(before - (await unitsLeft())).toBe(2);
    const row = await gateway.ctx.db
      .selectFrom('jobs')
      .select(['surface', 'apiKeyId', 'sourceBytes'])
      .where('id', '=', items[0]?.job_id ?? '')
      .executeTakeFirst();
    expect(row).toEqual({ surface: 'api', apiKeyId: caller.keyId, sourceBytes: image.length });
  });

  it('fetches a failed URL again after a retry', async () => {
    const failed = await fetched(await announce(itemsAt('/later')));
    expect(failed.items[0]?.error?.code).toBe('url_unreachable');
    later = image;
    await caller.call('POST', `/v1/batches/${failed.id}/retry`);
    expect((await fetched(failed)).items[0]?.status).toBe('queued');
  });

  it.each([
    'http://images.example/a.png',
    'file:///etc/passwd',
    'https://a:b@images.example/',
    'an image',
    'https://127.0.0.1/a.png',
    'https://2130706433/',
    'https://10.0.0.1/',
    'https://169.254.169.254/latest/meta-data/',
    'https://[::1]/',
    'https://[::ffff:10.0.0.1]/',
    'https://[fe80::1]/',
    'https://localhost/',
    'https://printer.local/',
  ])('returns 422 for %s, with the index of the item', async (image_url) => {
    const items = [...itemsAt('/later'), { client_id: 'b', image_url }];
    const expected = { status: 422, code: 'url_not_allowed', param: 'items.1.image_url' };
    await expectV1Refused(gateway, () => caller.call('POST', '/v1/batches', json({ items })), expected);
  });

  it('returns the message of a single image for a private address', async () => {
    const expected = { status: 422, code: 'url_not_allowed' };
    const refuse = (path: string, body: (url: { image_url: string }) => object) =>
      expectV1Refused(
        gateway,
        () => caller.call('POST', path, json(body({ image_url: 'https://192.168.0.1/a.png' }))),
        expected,
      );
    const single = await refuse('/v1/process', (url) => url);
    const batch = await refuse('/v1/batches', (url) => ({ items: [{ client_id: 'a', ...url }] }));
    expect({ ...batch, param: single.param }).toEqual({ ...single, request_id: batch.request_id });
  });

  it('returns 422 for an item without a name and a URL', async () => {
    const expected = { status: 422, code: 'invalid_parameter', param: 'items.0.name' };
    const make = () => caller.call('POST', '/v1/batches', json({ items: [{ client_id: 'a' }] }));
    await expectV1Refused(gateway, make, expected);
  });

  it('is fetched by another gateway when the first one stopped, but not when its key was deleted', async () => {
    /** The state after a gateway stopped while fetching: claimed once, with an expired lease. */
    const leave = async (by: V1Caller) => {
      const { id } = await announce([{ client_id: 'a', name: 'a.png' }], by);
      return async () => {
        const changes = { image_url: at('/a/holiday%20photo.png?size=1'), fetches: 1 };
        await gateway.ctx.db.updateTable('batchItems').set(changes).where('batchId', '=', id).execute();
        return id;
      };
    };
    const orphan = await openV1Caller(gateway);
    const leaveOrphan = await leave(orphan);
    await orphan.owner.client.deleteApiKey({ params: { id: orphan.keyId } });
    const [orphanId, leftId] = [await leaveOrphan(), await (await leave(caller))()];
    // The next batch makes the gateway fetch waiting items, the oldest first.
    const page = await announce(itemsAt('/page'));
    const look = (id: string) =>
      gateway.ctx.db
        .selectFrom('batchItems')
        .select(['status', 'fetches'])
        .where('batchId', '=', id)
        .executeTakeFirstOrThrow();
    await waitUntil(async () => (await look(leftId)).status === 'taken', { what: 'the image that was left' });
    expect(await look(leftId)).toEqual({ status: 'taken', fetches: 2 });
    expect(await look(orphanId)).toEqual({ status: 'waiting', fetches: 1 });
    // Its upload would change what the next test counts.
    await fetched(page);
  });

  it('is free in the sandbox', async () => {
    const test = await openV1Caller(gateway, { owner: caller.owner, kind: 'test' });
    const before = await unitsLeft();
    const batch = await fetched(await announce(itemsAt('/a/holiday%20photo.png?size=1', '/gone'), test), test);
    expect(batch.items.map(({ status }) => status)).toEqual(['queued', 'failed']);
    expect(await unitsLeft()).toBe(before);
  });
});

it('the error of a rejected URL names the parameter as it was sent', async () => {
  for (const name of ['image_url', 'imageUrl', 'image-url'])
    await expectV1Refused(gateway, () => caller.call('POST', '/v1/process', json({ [name]: 'https://127.0.0.1/' })), {
      status: 422,
      code: 'url_not_allowed',
      param: name,
    });
});
