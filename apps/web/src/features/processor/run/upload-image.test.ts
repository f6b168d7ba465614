import { recipeDefaults } from '@uprez/contracts/recipe/recipe-fields';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { uploadImage } from './upload-image.ts';

type Scripted = { status: number; body: object } | 'lost' | 'aborted';

let responses: Scripted[];
/** The idempotency key of each request. */
let keys: (string | undefined)[];

/** XMLHttpRequest with scripted responses. */
class ScriptedRequest {
  status = 0;
  statusText = '';
  responseText = '';
  upload = {};
  onload = () => {};
  onerror = () => {};
  onabort = () => {};
  #headers = new Map<string, string>();
  open() {}
  abort() {
    this.onabort();
  }
  setRequestHeader(name: string, value: string) {
    this.#headers.set(name, value);
  }
  getResponseHeader() {
    return 'application/problem+json';
  }
  send() {
    keys.push(this.#headers.get('idempotency-key'));
    const response = responses.shift();
    if (response === 'aborted' || response === undefined) return;
    if (response === 'lost') return this.onerror();
    this.status = response.status;
    this.responseText = JSON.stringify(response.body);
    this.onload();
  }
}

const created = { status: 202, body: { id: 'job-1' } };
const recipe = { ...recipeDefaults, scaleFactor: 2 };
const send = ({ signal = new AbortController().signal, scaleFactor = 2, onRetry = () => {} } = {}) =>
  uploadImage({
    source: new File(['image'], 'a.png'),
    recipe: { ...recipe, scaleFactor },
    signal,
    onPercent: () => {},
    onRetry,
  });

beforeEach(() => {
  responses = [];
  keys = [];
  const storage = new Map<string, string>();
  vi.useFakeTimers();
  vi.stubGlobal('XMLHttpRequest', ScriptedRequest);
  vi.stubGlobal('window', new EventTarget());
  vi.stubGlobal('sessionStorage', {
    getItem: (name: string) => storage.get(name) ?? null,
    setItem: (name: string, value: string) => storage.set(name, value),
    removeItem: (name: string) => storage.delete(name),
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('repeats a request with the same key when its response is lost', async () => {
  responses = ['lost', 'lost', created];
  const onRetry = vi.fn();
  const job = send({ onRetry });
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await job).toEqual({ id: 'job-1' });
  expect(keys).toHaveLength(3);
  expect(new Set(keys).size).toBe(1);
  expect(onRetry).toHaveBeenCalledTimes(2);
});

it('ends when the session has ended, whose response browsers lose', async () => {
  responses = ['lost'];
  const problem = { status: 401, code: 'not_signed_in', detail: 'Unauthorized: sign in.' };
  vi.stubGlobal('fetch', async () => Response.json(problem, { status: 401 }));
  await expect(send()).rejects.toMatchObject({ status: 401 });
  expect(keys).toHaveLength(1);
});

it('uses a new key for the next run', async () => {
  responses = [created, created];
  await send();
  await send();
  expect(new Set(keys).size).toBe(2);
});

it('keeps the key after a server error, which may have created a job', async () => {
  responses = [{ status: 502, body: {} }, created];
  await expect(send()).rejects.toMatchObject({ status: 502 });
  await send();
  expect(new Set(keys).size).toBe(1);
});

it('keeps the key after a cancellation, which the server may not have noticed', async () => {
  responses = ['aborted', created];
  const abort = new AbortController();
  const cancelled = expect(send({ signal: abort.signal })).rejects.toThrow('cancelled');
  abort.abort(new Error('cancelled'));
  await cancelled;
  await send();
  expect(new Set(keys).size).toBe(1);
});

it.each([
  ['after a validation error', { status: 422, body: { status: 422, code: 'corrupt_image' } }, 2],
  ['for other settings', { status: 502, body: {} }, 3],
])('uses a new key %s', async (_, response, scaleFactor) => {
  responses = [response, created];
  await expect(send()).rejects.toMatchObject({ status: response.status });
  await send({ scaleFactor });
  expect(new Set(keys).size).toBe(2);
});
