import { createHash } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import { models } from '@uprez/models/manifest';
import { fileFixture } from '@uprez/testing/fixtures';
import { pullTestModels } from '@uprez/testing/products/start-test-product';
import { describe, expect, it } from 'vitest';
import { makeCheckedFetch } from '../support/checked-fetch.ts';
import { startTestGateway } from '../support/start-test-gateway.ts';

const { sha256, sizeBytes } = models['photo-fast'].onnx;
const url = `/local-models/${sha256}.onnx`;
const get = makeCheckedFetch(fetch);

describe('models for browsers', () => {
  const gateway = fileFixture(async () => startTestGateway({ MODELS_DIR: await pullTestModels() }));

  it('lists the installed model, and delivers it at a URL with its checksum that never changes', async () => {
    const list = await (await fetch(`${gateway.url}/api/local-models`)).json();
    expect(list).toEqual([{ engine: 'photo-fast', url, sha256, sizeBytes, marksResults: true }]);
    const response = await get(gateway.url + url);
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(sha256);
    expect(response.headers.get('content-length')).toBe(String(sizeBytes));
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    const etag = response.headers.get('etag') ?? '';
    const again = await get(gateway.url + url, { headers: { 'if-none-match': etag } });
    expect(again.status).toBe(304);
  });

  it.each([
    `/local-models/${'0'.repeat(64)}.onnx`,
    `/local-models/${models.photo.onnx.sha256}.onnx`,
    '/local-models/photo-fast.onnx',
    '/local-models/%2E%2E',
  ])('returns 404 for %s', async (file) => {
    expect((await get(gateway.url + file, { headers: { accept: 'application/json' } })).status).toBe(404);
  });

  it.each([
    ['/on-this-device', true],
    ['/on-this-device/', true],
    ['/', false],
    ['/pricing', false],
    ['/assets/process-worker-1a2b.js', true],
    ['/assets/app-1a2b.js', false],
  ])('isolates %s: %s', async (page, isIsolated) => {
    const { headers, status } = await fetch(gateway.url + page);
    expect(status).toBe(200);
    expect(headers.get('cross-origin-embedder-policy')).toBe(isIsolated ? 'require-corp' : null);
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy.includes("script-src 'self' 'wasm-unsafe-eval';")).toBe(isIsolated);
    expect(policy).toContain("connect-src 'self' blob:;");
    expect(policy).not.toContain("'unsafe-eval'");
  });
});

it('lists models of which results are not marked when the operator turned it off', async () => {
  const gateway = await startTestGateway({ MODELS_DIR: await pullTestModels(), AI_MARK_ALWAYS: 'false' });
  const list = await (await fetch(`${gateway.url}/api/local-models`)).json();
  expect(list).toMatchObject([{ engine: 'photo-fast', marksResults: false }]);
  await gateway.close();
});

it('lists no model that is missing or damaged', async () => {
  const gateway = await startTestGateway();
  const list = async () => (await fetch(`${gateway.url}/api/local-models`)).json();
  expect(await list()).toEqual([]);
  const modelsDir = path.join(gateway.ctx.dataDir, 'models');
  await fs.mkdir(modelsDir, { recursive: true });
  await fs.writeFile(path.join(modelsDir, 'photo-fast.onnx'), 'damaged');
  expect(await list()).toEqual([]);
  expect((await get(gateway.url + url)).status).toBe(404);
  await gateway.close();
});
