import { afterEach, beforeEach, expect, it } from 'vitest';
import { file, interrupted, json, openStub, type Stub } from '../test/support/open-stub.ts';
import { downloadResult, openResult } from './browser.ts';

let stub: Stub;
beforeEach(async () => {
  stub = await openStub();
});
afterEach(() => stub.close());

it('downloads a signed URL again after an interruption, and reports the progress', async () => {
  const progress: unknown[] = [];
  stub.reply(interrupted, json(503, {}, { 'retry-after': '0' }), file('complete'));
  const onProgress = (...received: unknown[]) => progress.push(received);
  const blob = await downloadResult(`${stub.url}/file?sig=1`, { onProgress });
  expect(await blob.text()).toBe('complete');
  expect(progress.at(-1)).toEqual([8, 8]);
  expect(stub.requests.map(({ url, headers }) => [url, headers.authorization])).toEqual(
    Array(3).fill(['/file?sig=1', undefined]),
  );
});

it('throws ApiError for an expired URL, and ConnectionError after all retries', async () => {
  stub.reply(json(410, { code: 'result_expired', detail: 'Deleted.' }), interrupted);
  await expect(openResult(stub.url)).rejects.toMatchObject({ name: 'ApiError', code: 'result_expired', status: 410 });
  await expect(downloadResult(stub.url, { maxRetries: 0 })).rejects.toMatchObject({ name: 'ConnectionError' });
});

it('throws the reason of an aborted signal', async () => {
  const controller = new AbortController();
  stub.reply(json(503, {}, { 'retry-after': '30' }));
  const download = downloadResult(stub.url, { signal: controller.signal });
  await expect.poll(() => stub.requests.length).toBe(1);
  controller.abort(new Error('enough'));
  await expect(download).rejects.toThrow('enough');
});
