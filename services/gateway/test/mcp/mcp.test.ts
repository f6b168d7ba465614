import type { CallToolResult, Progress } from '@modelcontextprotocol/sdk/types.js';
import { freeNotes } from '@uprez/contracts/policy/free-jobs';
import { limits } from '@uprez/contracts/policy/limits';
import { failJob } from '@uprez/domain/jobs/attempts/fail-job';
import { fileFixture } from '@uprez/testing/fixtures';
import { makeImage } from '@uprez/testing/make-image';
import { waitUntil } from '@uprez/testing/wait-until';
import { describe, expect, it } from 'vitest';
import { claimJob, finishJob, finishWithSourceHash } from '../support/finish-job.ts';
import { type McpClient, openMcpClient, textOf } from '../support/open-mcp-client.ts';
import { shareTestGateway } from '../support/share-test-gateway.ts';
import { countTraces } from '../support/traces.ts';
import { openV1Caller, type V1Caller } from '../support/v1-calls.ts';

const gateway = shareTestGateway();
const caller = fileFixture<V1Caller>(() => openV1Caller(gateway, { tier: 'api_pro' }));
const mcp = fileFixture<McpClient>(() => openMcpClient(gateway, caller.key));

const photo = await makeImage({ width: 40, height: 30 });
const image = photo.toString('base64');
/** An image that no earlier call sent, so that no stored result is returned. */
let seed = 100;
async function makeNew(): Promise<string> {
  seed += 1;
  return (await makeImage({ width: 40, height: 30, seed })).toString('base64');
}

const findJobs = () =>
  gateway.ctx.db.selectFrom('jobs').select(['id', 'status']).where('accountId', '=', caller.owner.user.id).execute();
/** Starts a call and returns its pending result with the ID of its job. */
async function start(args: object = {}, options: Parameters<McpClient['call']>[2] = {}) {
  const known = new Set((await findJobs()).map(({ id }) => id));
  const answer = mcp.call('upscale_image', { image: await makeNew(), engine: 'standard', ...args }, options);
  answer.catch(() => {});
  const job = await waitUntil(async () => (await findJobs()).find(({ id }) => !known.has(id)));
  return { id: job.id, answer };
}
const blocks = ({ content }: CallToolResult) => content.map(({ type }) => type);

it('lists six tools with schemas and hints, and without access to files', async () => {
  expect(mcp.client.getServerVersion()).toMatchObject({ name: 'uprez', title: 'Uprez' });
  expect(mcp.client.getInstructions()).toContain('Call `estimate`');
  const { tools } = await mcp.client.listTools();
  const reads = { readOnlyHint: true, destructiveHint: false };
  const creates = { readOnlyHint: false, destructiveHint: false, idempotentHint: false };
  expect(tools.map(({ name, annotations }) => [name, annotations])).toEqual([
    ['upscale_image', expect.objectContaining(creates)],
    ['resize_image', expect.objectContaining(creates)],
    ['convert_image', expect.objectContaining(creates)],
    ['estimate', expect.objectContaining(reads)],
    ['get_job', expect.objectContaining(reads)],
    ['get_account', expect.objectContaining(reads)],
  ]);
  const text = JSON.stringify(tools);
  expect(text).not.toMatch(/_path|\$schema|x-aliases/);
  for (const { inputSchema, outputSchema } of tools) {
    expect([inputSchema.type, outputSchema?.type]).toEqual(['object', 'object']);
    for (const schema of Object.values(inputSchema.properties ?? {})) expect(schema).toHaveProperty('description');
  }
});

it('upscales an image with progress, and returns it with its cost and a link that works without a key', async () => {
  const progress: Progress[] = [];
  const { id, answer } = await start({ scale_factor: 3 }, { onprogress: (one) => progress.push(one) });
  await finishJob(gateway.ctx, id);
  const result = await answer;
  expect(blocks(result)).toEqual(['text', 'image', 'resource_link', 'text']);
  expect(textOf(result)).toMatch(/^Job \S+ is completed: from 40 x 30 px .*Charged 1 credit\. 4,\d\d\d credits left\./);
  expect(result.structuredContent).toMatchObject({ id, status: 'completed', scale_factor: 3, credits_charged: 1 });
  const [, shown, link] = result.content as [
    unknown,
    { data: string; mimeType: string },
    { uri: string; size: number },
  ];
  expect(shown.mimeType).toBe('image/jpeg');
  expect(Buffer.from(shown.data, 'base64').toString()).toBe('the bytes of a result');
  const { pathname, search } = new URL(link.uri);
  expect(await (await fetch(gateway.url + pathname + search)).text()).toBe('the bytes of a result');
  const percents = progress.map((one) => one.progress);
  expect(percents).toEqual([...new Set(percents)].sort((a, b) => a - b));
  expect(progress[0]).toMatchObject({ total: 100, message: expect.stringMatching(`Job ${id} is (queued|processing)`) });
});

it('charges nothing for a stored result, and leaves out the image if asked to', async () => {
  const sent = { image: await makeNew(), engine: 'standard', include_image: false };
  const first = mcp.call('upscale_image', sent);
  const job = await waitUntil(async () => (await findJobs()).find(({ status }) => status === 'queued'));
  await finishWithSourceHash(gateway.ctx, job.id);
  expect(blocks(await first)).toEqual(['text', 'resource_link', 'text']);
  const repeated = mcp.call('upscale_image', sent);
  const copy = await waitUntil(async () => (await findJobs()).find(({ status }) => status === 'queued'));
  await finishJob(gateway.ctx, copy.id);
  const again = await repeated;
  expect(textOf(again)).toContain('Charged 0 credits because the result was stored.');
  expect(textOf(again)).toContain(freeNotes.repeated);
  expect(again.structuredContent).toMatchObject({ id: copy.id, cached: true, credits_charged: 0 });
});

it('returns a large result as a link only', async () => {
  const { id, answer } = await start();
  await finishJob(gateway.ctx, id, 'x'.repeat(limits.mcpImageBytes + 1));
  expect(blocks(await answer)).toEqual(['text', 'resource_link', 'text']);
});

it('returns an unfinished job after wait_seconds, and its result from get_job', async () => {
  const { id, answer } = await start({ wait_seconds: 0 });
  const late = await answer;
  expect(textOf(late)).toMatch(
    /is queued \(0%\)\. Call get_job with this ID .*Don't repeat this call.*Charged 1 credit\./,
  );
  expect(late.structuredContent).toMatchObject({ id, status: 'queued', download_url: null });
  const asked = mcp.call('get_job', { job_id: id });
  await finishJob(gateway.ctx, id);
  expect(blocks(await asked)).toEqual(['text', 'image', 'resource_link', 'text']);
});

it('returns the error of a failed job, and the failed job from get_job', async () => {
  const { id, answer } = await start();
  const attempt = await claimJob(gateway.ctx, id);
  await failJob(gateway.ctx, { jobId: id, attempt, code: 'corrupt_image', detail: 'Cut short.', retryBaseS: 0 });
  const failed = await answer;
  expect(failed.isError).toBe(true);
  expect(textOf(failed)).toBe(`Cut short. You weren't charged.\ncode: corrupt_image\njob_id: ${id}`);
  const asked = await mcp.call('get_job', { job_id: id });
  expect(asked.isError).toBeUndefined();
  expect(asked.structuredContent).toMatchObject({ status: 'failed', error: { code: 'corrupt_image' }, credits: 0 });
});

it('estimates a job from an image, from its size, and beyond the limits of the plan', async () => {
  const before = await countTraces(gateway.ctx);
  const known = await mcp.call('estimate', { image, target: { width: 80 }, format: 'png' });
  expect(known.structuredContent).toMatchObject({ dry_run: true, width: 80, height: 60, units: 1, format: 'png' });
  expect(textOf(known)).toMatch(/^This job would cost 1 credit \(shared\)\. You have 4,\d\d\d credits left\./);
  const sized = await mcp.call('estimate', { width: 4_000, height: 3_000, scale_factor: 2, has_alpha: true });
  expect(sized.structuredContent).toMatchObject({ width: 8_000, height: 6_000, units: 1 });
  const refused = await mcp.call('estimate', { width: 9_000, height: 9_000, scale_factor: 8 });
  expect(refused.isError).toBeUndefined();
  expect(textOf(refused)).toMatch(
    /would be rejected: .* Limit: \d+\. Value: \d+\. The largest scale factor that works is/,
  );
  const both = await mcp.call('estimate', { image, width: 40, height: 30 });
  expect([both.isError, textOf(both)]).toEqual([true, expect.stringContaining('Omit "width", "height"')]);
  expect(textOf(await mcp.call('estimate', {}))).toBe('Send an image, or its "width" and "height".');
  expect(await countTraces(gateway.ctx)).toEqual(before);
});

it('converts without changing the size, and returns the account', async () => {
  const asked = mcp.call('convert_image', { image: await makeNew(), format: 'webp' });
  const job = await waitUntil(async () => (await findJobs()).find(({ status }) => status === 'queued'));
  await finishJob(gateway.ctx, job.id);
  expect((await asked).structuredContent).toMatchObject({ scale_factor: 1, format: 'webp', engine: 'standard' });
  const account = await mcp.call('get_account');
  expect(account.structuredContent).toMatchObject({ plan: { key: 'api_pro' }, key: { id: caller.keyId } });
  expect(textOf(account)).toMatch(/^Plan: API Pro\. 4,\d\d\d credits left \(shared\), which reset on \d{4}-/);
});

describe('arguments that are not accepted', () => {
  const tiny = { image };
  it.each([
    [
      'upscale_image',
      { ...tiny, scale_factor: 500 },
      /^"scale_factor" must be a number from 0\.01 to 128\./,
      /sent: 500/,
    ],
    [
      'resize_image',
      { ...tiny, long_side: 250_000, format: 'png' },
      /large/i,
      /meta\.limit: \d+\nmeta\.value: \d+\n(.*\n)*max_scale: /,
    ],
    ['upscale_image', { ...tiny, quality: 101 }, /"quality" must be a whole number from 1 to 100/, /sent: 101/],
    ['upscale_image', { ...tiny, wait_seconds: 61 }, /^"wait_seconds" must be from 0 to 60\. You sent 61\./, /./],
    [
      'upscale_image',
      { ...tiny, width: 9 },
      /^Unknown argument "width" of upscale_image\. Allowed: image_url, image,/,
      /./,
    ],
    ['upscale_image', { ...tiny, image_path: '/etc/passwd' }, /^Unknown argument "image_path"/, /./],
    ['upscale_image', { ...tiny, scale_factor: { $gt: 1 } }, /^"scale_factor" must be a number\. You sent \{/, /./],
    ['upscale_image', {}, /^Send the image as exactly one of "image_url", "image"\.$/, /./],
    ['upscale_image', { ...tiny, image_url: 'https://a.example' }, /exactly one of/, /./],
    ['upscale_image', { image_url: '/etc/passwd' }, /^"image_url" must be a URL that begins with https:/, /./],
    ['upscale_image', { image_url: 'file:///etc/passwd' }, /^"image_url" must be a URL/, /./],
    ['upscale_image', { image_url: 'https://127.0.0.1/a.png' }, /./, /code: url_not_allowed/],
    ['upscale_image', { image: 'no base64!' }, /^"image" must be base64/, /./],
    ['upscale_image', { image: 'bm90IGFuIGltYWdl' }, /./, /code: unsupported_format/],
    ['resize_image', { ...tiny, width: 9, long_side: 9 }, /each set the size/, /code: conflicting_params/],
    ['convert_image', tiny, /^Missing argument "format" of convert_image\.$/, /./],
    ['get_job', { job_id: 'no id' }, /^Job not found\. Check the ID\./, /code: job_not_found/],
    ['get_account', { any: 1 }, /^Unknown argument "any" of get_account\. Allowed: none\.$/, /./],
  ])('%s: returns an error that says what to change, and stores nothing (%#)', async (...[name, args, ...expected]) => {
    const before = await countTraces(gateway.ctx);
    const result = await mcp.call(name, args);
    expect(result.isError, textOf(result)).toBe(true);
    for (const pattern of expected) expect(textOf(result)).toMatch(pattern);
    expect(await countTraces(gateway.ctx)).toEqual(before);
  });

  it('rejects unknown tools as an error of the protocol', async () => {
    await expect(mcp.call('save_result', { job_id: 'a' })).rejects.toThrow('Unknown tool "save_result".');
  });
});

describe('a call that ends early', () => {
  it.each(['cancels', 'disconnects'])('keeps its job when its client %s', async (kind) => {
    const other = await openMcpClient(gateway, caller.key);
    const controller = new AbortController();
    const known = new Set((await findJobs()).map(({ id }) => id));
    const asked = other.call(
      'upscale_image',
      { image: await makeNew(), engine: 'standard' },
      { signal: controller.signal },
    );
    asked.catch(() => {});
    const { id } = await waitUntil(async () => (await findJobs()).find((job) => !known.has(job.id)));
    if (kind === 'cancels') controller.abort('enough');
    else await other.close();
    await expect(asked).rejects.toThrow();
    await finishJob(gateway.ctx, id);
    expect((await mcp.call('get_job', { job_id: id })).structuredContent).toMatchObject({ id, status: 'completed' });
    await other.close();
  });
});

describe('permissions and limits are those of the API', () => {
  it('lets a key without the scope read only', async () => {
    const { key } = await openV1Caller(gateway, { owner: caller.owner, scopes: ['read'] });
    const reader = await openMcpClient(gateway, key);
    expect((await reader.call('get_account')).isError).toBeUndefined();
    const refused = await reader.call('upscale_image', { image });
    expect([refused.isError, textOf(refused)]).toEqual([
      true,
      expect.stringMatching(/"process" scope.*\n?code: wrong_scope/s),
    ]);
    await reader.close();
  });

  it('hides the jobs of other accounts', async () => {
    const { id, answer } = await start({ wait_seconds: 0 });
    await answer;
    const { key } = await openV1Caller(gateway);
    const stranger = await openMcpClient(gateway, key);
    const hidden = textOf(await stranger.call('get_job', { job_id: id }));
    const missing = textOf(await stranger.call('get_job', { job_id: crypto.randomUUID() }));
    const withoutRequest = (text: string) => text.replace(/request_id: .*/, '');
    expect(withoutRequest(hidden)).toBe(withoutRequest(missing));
    await stranger.close();
    await finishJob(gateway.ctx, id);
  });

  it('uses the sandbox with its keys, and stops at the monthly limit of a key', async () => {
    const test = await openV1Caller(gateway, { owner: caller.owner, kind: 'test' });
    const sandbox = await openMcpClient(gateway, test.key);
    const tried = await sandbox.call('estimate', { image });
    expect(tried.structuredContent).toMatchObject({ units: 0 });
    await sandbox.close();
    const capped = await openV1Caller(gateway, { owner: caller.owner, monthlyCap: 1 });
    const last = await openMcpClient(gateway, capped.key);
    await last.call('upscale_image', { image: await makeNew(), engine: 'standard', wait_seconds: 0 });
    const refused = await last.call('upscale_image', { image: await makeNew(), engine: 'standard' });
    expect(textOf(refused)).toMatch(
      /monthly limit\. You weren't charged\. Raise this key's .*\ncode: key_cap_exceeded/,
    );
    await last.close();
  });
});
