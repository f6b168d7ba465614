// cspell:ignore lmth
import { createHmac, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { type BrowserContext, expect, type Page } from '@playwright/test';
import { bytesSchema } from '@uprez/contracts/endpoints/endpoint';
import { endpoints } from '@uprez/contracts/endpoints/endpoints';
import { type RouteName, routes } from '@uprez/contracts/endpoints/routes';
import type { Job } from '@uprez/contracts/schemas/jobs/job';
import { makeImage } from '@uprez/testing/make-image';
import { openPublicStorage } from '@uprez/testing/s3/open-public-storage';
import { waitUntil } from '@uprez/testing/wait-until';
import { type Site, test } from './support/fixtures.ts';
import { canary } from './support/hostile-names.ts';
import { bareScript, makePolyglots, pdfPolyglot, textPolyglot } from './support/polyglots.ts';
import { findHeaderProblems, openFile, probeFile } from './support/probe-file.ts';

const password = 'six feet under';
/** Names that end as a page does, also when their direction is overridden. */
const hostileName = 'lmth.\u202Egnp.html';
const trickyName = 'a";filename="evil.html';

/** Routes that send no files of others, and those whose files only other tests can serve. */
const unchecked = {
  ...{ statusFeed: 'ours', statusBadge: 'ours', rssFeed: 'ours', atomFeed: 'ours', sitemap: 'ours', robots: 'ours' },
  ...{ llms: 'ours', v1OpenApi: 'ours', v1Postman: 'ours', getLocalModel: 'ours', events: 'JSON', mcp: 'JSON' },
  adminExportRedemptions: 'sends its file as the other exports do',
  fetchImage: 'reaches no loopback address',
};

test.describe('files that are images and also pages or scripts', () => {
  test.describe.configure({ mode: 'serial' });
  let site: Site;
  let context: BrowserContext;
  let pages: { own: Page; opened: Page };
  let userId: string;
  let jobs: Job[];
  const asked: string[] = [];
  const served = new Set<string>();

  const send = async (path: string, options: object, method = 'POST') => {
    const response = await context.request.fetch(site.url + path, {
      method,
      headers: { origin: site.url },
      ...options,
    });
    if (!response.ok()) throw new Error(`${path}: ${response.status()} ${await response.text()}`);
    return response;
  };
  const file = (name: string, buffer: Buffer) => ({ name, mimeType: 'text/html', buffer });
  /** Replaces the content of a stored file, as if a decoder or an encoder had let it pass. */
  const overwrite = async (key: string, bytes: Buffer) => {
    const { sizeBytes, sha256 } = await site.product.storage.put(key, Readable.from([bytes]));
    await site.db.updateTable('objects').set({ size: sizeBytes, sha256 }).where('key', '=', key).execute();
  };
  const expectHeaders = async (route: string, path: string, headers = {}) => {
    served.add(route);
    const response = await context.request.get(site.url + path, { headers });
    expect(findHeaderProblems(response), `${route} ${path}`).toEqual([]);
  };
  const expectInert = async (route: string, paths: readonly string[]) => {
    served.add(route);
    for (const path of paths)
      expect(await probeFile(context, pages, new URL(path, site.url).href), `${route} ${path}`).toEqual([]);
    expect(asked).toEqual([]);
  };

  test.beforeAll(async ({ site: started, browser }) => {
    site = started;
    context = await browser.newContext({ acceptDownloads: false });
    context.on('request', (request) => new URL(request.url()).host === canary && asked.push(request.url()));
    const [own, opened] = await Promise.all([context.newPage(), context.newPage()]);
    pages = { own, opened };
    const data = { email: `${randomUUID()}@example.test`, password, firstName: 'Eve' };
    userId = (await (await send('/api/register', { data })).json()).id;
    const rights = { tier: 'api_pro', role: 'owner', emailVerified: true } as const;
    await site.db.updateTable('users').set(rights).where('id', '=', userId).execute();
    await own.goto(`${site.url}/healthz`);
  });
  test.afterAll(async () => {
    await site?.db.updateTable('users').set({ role: null }).where('id', '=', userId).execute();
    await context?.close();
  });

  test('the check notices each way to run a file', async () => {
    const url = `${site.url}/healthz/evil`;
    const [page, script] = [`${url}.html`, `${url}.js`];
    const answer = (contentType: string) => ({ contentType, body: bareScript.toString() });
    await context.route(page, (route) => route.fulfill(answer('text/html')));
    await context.route(script, (route) => route.fulfill(answer('text/javascript')));
    expect(await probeFile(context, pages, page)).toEqual(
      expect.arrayContaining(['it ran as a page', 'it ran in our page']),
    );
    expect(await probeFile(context, pages, script)).toEqual(expect.arrayContaining(['script', 'it ran in our page']));
    await pages.own.goto(`${site.url}/healthz`);
    asked.length = 0;
  });

  test('run nowhere as results', async () => {
    const { gif, png, jpeg, webp } = await makePolyglots();
    const contents = { png, jpeg, webp, avif: bareScript };
    const upload = async (format: string) => {
      const buffer = await makeImage({ width: 16, height: 16 });
      const multipart = {
        engine: 'standard',
        format,
        image: file(format === 'png' ? trickyName : hostileName, buffer),
      };
      const response = await send('/api/images/process', { multipart, headers: { origin: site.url } });
      return response.json();
    };
    jobs = await Promise.all(Object.keys(contents).map(upload));
    await waitUntil(async () => {
      const listed: Job[] = await (await send('/api/jobs', {}, 'GET')).json();
      jobs = jobs.map((job) => listed.find(({ id }) => id === job.id) ?? job);
      return jobs.every(({ downloadUrl }) => downloadUrl);
    });
    for (const [at, bytes] of Object.values(contents).entries()) {
      const ofJob = site.db
        .selectFrom('objects')
        .select(['key', 'kind'])
        .where('jobId', '=', jobs[at]?.id ?? '');
      for (const { key, kind } of await ofJob.where('kind', 'in', ['result', 'thumbnail']).execute())
        await overwrite(key, kind === 'thumbnail' ? (at === 0 ? gif : bareScript) : bytes);
    }
    const ids = jobs.map(({ id }) => id);
    await expectInert(
      'downloadImage',
      ids.map((id) => `/api/images/download/${id}`),
    );
    await expectInert(
      'signedFile',
      jobs.map(({ downloadUrl }) => downloadUrl ?? ''),
    );
    await expectInert(
      'thumbnail',
      ids.slice(0, 2).map((id) => `/api/images/thumbnail/${id}`),
    );
  });

  test('run nowhere as batches and exports', async () => {
    const items = [{ clientId: '1', name: hostileName, relativePath: `=1/${hostileName}` }];
    const batch = await (await send('/api/batches', { data: { recipe: { engine: 'standard' }, items } })).json();
    const image = file(hostileName, await makeImage({ width: 16, height: 16, seed: 2 }));
    await send(`/api/batches/${batch.id}/items/${batch.items[0].id}`, { multipart: { image } }, 'PUT');
    await waitUntil(async () => {
      const { items: now } = await (await send(`/api/batches/${batch.id}`, {}, 'GET')).json();
      return now[0].status === 'completed';
    });
    await expectInert('batchZip', [`/api/batches/${batch.id}/zip`]);
    await expectInert('batchManifestCsv', [`/api/batches/${batch.id}/manifest.csv`]);
    await send('/api/user/export', { data: { password } });
    const exported = await waitUntil(async () => {
      const [task] = await (await send('/api/user/export', {}, 'GET')).json();
      return (task.downloadUrl as string | null) ?? undefined;
    });
    await expectInert('downloadExport', [exported]);
    await expectInert('exportInvoices', ['/api/billing/invoices.csv']);
    const names = (Object.keys(routes) as RouteName[]).filter((name) => name.startsWith('adminExport'));
    const isOfOne = (name: RouteName) => routes[name].path.includes(':id');
    const required: Partial<Record<RouteName, string>> = { adminExportAnalytics: '&table=days' };
    for (const name of names.filter((one) => !isOfOne(one)))
      for (const format of ['csv', 'json'])
        await expectHeaders(name, `${routes[name].path}?format=${format}${required[name] ?? ''}`);
    await expectHeaders('adminExportLedger', `/api/admin/users/${userId}/ledger/export`);
    await expectInert('adminExportJobs', ['/api/admin/jobs/export?format=csv', '/api/admin/jobs/export?format=json']);
  });

  test('run nowhere as responses to uploads and in the public API', async () => {
    const image = file(hostileName, await makeImage({ width: 16, height: 16 }));
    const sent = { multipart: { engine: 'standard', scaleFactor: '1', image } };
    const previewed = await send('/api/preview', sent);
    served.add('preview');
    expect(findHeaderProblems(previewed)).toEqual([]);
    const { key } = await (await send('/api/api-keys', { data: { name: 'polyglots' } })).json();
    const headers = { authorization: `Bearer ${key}` };
    const inOneCall = { multipart: { engine: 'standard', image }, headers: { ...headers, accept: 'image/*' } };
    expect(findHeaderProblems(await send('/v1/process', inOneCall))).toEqual([]);
    await expectHeaders('v1JobResult', `/v1/jobs/${jobs[3]?.id}/result`, headers);
    const batches = await (await context.request.get(`${site.url}/v1/batches`, { headers })).json();
    const id = batches.data?.[0]?.batch_id ?? batches.data?.[0]?.id;
    await expectHeaders('v1BatchZip', `/v1/batches/${id}/zip`, headers);
    await expectHeaders('v1BatchManifestCsv', `/v1/batches/${id}/manifest.csv`, headers);
    await expectInert(
      'v1File',
      jobs.map(({ downloadUrl }) => (downloadUrl ?? '').replace('/api/', '/v1/')),
    );
  });

  test('run nowhere as image URLs', async () => {
    const { keyId, secret } = await (
      await send('/api/image-urls', { data: { isEnabled: true, hosts: ['images.example'] } }, 'PUT')
    ).json();
    const pathOf = (at: number) => {
      const signed = `/k:${keyId},width:${16 + at},format:png/${Buffer.from('https://images.example/a.html').toString('base64url')}`;
      return `/v1/img/${createHmac('sha256', secret).update(signed).digest('base64url')}${signed}`;
    };
    const paths = jobs.map((_job, at) => pathOf(at));
    for (const [at, path] of paths.entries()) {
      // Its original can't be fetched. The result takes the place of the error.
      await context.request.get(site.url + path);
      const values = { jobId: jobs[at]?.id ?? '', errorCode: null, freshUntil: new Date(Date.now() + 3_600_000) };
      const empty = site.db.updateTable('imageUrlResults').set(values).where('accountId', '=', userId);
      await empty.where('jobId', 'is', null).execute();
    }
    await expectInert('v1Image', paths);
  });

  test('run nowhere on the host of the storage', async () => {
    const { storage, close } = await openPublicStorage();
    try {
      const key = `uploads/${randomUUID()}`;
      await storage.put(key, Readable.from([bareScript]));
      for (const disposition of ['inline', 'attachment']) {
        const contentDisposition = `${disposition}; filename="a.png"`;
        const url = await storage.presignGet?.(key, { expiresS: 60, contentType: 'image/png', contentDisposition });
        expect(await openFile(pages.opened, String(url))).toEqual([]);
      }
    } finally {
      await close();
    }
  });

  test('run nowhere as files of the media library', async () => {
    const { gif, png, jpeg, webp } = await makePolyglots();
    const files = { gif, png, jpeg, webp, pdf: pdfPolyglot, md: textPolyglot, txt: textPolyglot };
    const form = new FormData();
    for (const [ending, bytes] of Object.entries(files))
      form.append('files', new File([new Uint8Array(bytes)], `\u202Elmth.html.${ending}`, { type: 'text/html' }));
    const stored = await (await send('/api/admin/media/upload', { multipart: form })).json();
    expect(stored.refused).toEqual([]);
    const media: { id: string; url: string; kind: string }[] = stored.files;
    const keyOf = (id: string) =>
      site.db
        .selectFrom('objects')
        .innerJoin('mediaFiles', 'mediaFiles.objectId', 'objects.id')
        .select('objects.key')
        .where('mediaFiles.mediaId', '=', id)
        .where('mediaFiles.width', 'is', null)
        .executeTakeFirstOrThrow();
    for (const [at, { id }] of media.entries())
      await overwrite((await keyOf(id)).key, Object.values(files)[at] ?? bareScript);
    await expectInert(
      'getMediaVersion',
      media.map(({ url }) => url),
    );
    await expectInert('getMedia', [`/media/${media[0]?.id}`, `/media/${media[4]?.id}`]);
  });

  test('run nowhere as attachments of messages', async () => {
    const { png, jpeg, webp } = await makePolyglots();
    const files = { png, jpg: jpeg, webp };
    const form = new FormData();
    const fields = { firstName: 'Eve', lastName: 'Doe', email: 'eve@example.test', subject: 'Hello', message: 'Hello' };
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    for (const [ending, bytes] of Object.entries(files))
      form.append('attachments', new File([new Uint8Array(bytes)], `\u202Elmth.${ending}.html`, { type: 'text/html' }));
    const { number } = await (await send('/api/contact', { multipart: form })).json();
    const { id } = await site.db
      .selectFrom('tickets')
      .select('id')
      .where('number', '=', number)
      .executeTakeFirstOrThrow();
    const ticket = await (await send(`/api/admin/tickets/${id}`, {}, 'GET')).json();
    await expectInert(
      'adminTicketFile',
      ticket.files.map((one: { id: string }) => `/api/admin/tickets/${id}/files/${one.id}`),
    );
  });

  test('are checked wherever files of others are sent', () => {
    const sending = (Object.entries(endpoints) as [string, { answers: Record<number, unknown> }][]).flatMap(
      ([name, { answers }]) => (Object.values(answers).includes(bytesSchema) ? [name] : []),
    );
    expect(sending.filter((name) => !served.has(name) && !(name in unchecked))).toEqual([]);
  });
});
