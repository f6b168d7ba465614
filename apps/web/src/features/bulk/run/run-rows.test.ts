import type { Batch } from '@uprez/contracts/schemas/jobs/batch';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { emptyList, getBulk, setBulk } from '../state/bulk-store.ts';
import type { Row } from '../state/row.ts';
import { runRows } from './run-rows.ts';

const row: Row = {
  id: 'x',
  name: 'a.png',
  relativePath: 'a.png',
  size: 5,
  file: new File(['12345'], 'a.png'),
  status: 'pending',
  sent: 0,
  progress: 0,
};
const recipe = { scaleFactor: 2, format: 'png', quality: 95, engine: 'standard' } as const;
const batch = {
  id: 'b',
  items: [{ id: 'i', clientId: 'x', status: 'completed', progress: 100, notes: [] }],
} as unknown as Batch;
const json = (status: number, body: object) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/problem+json' } });
const created = () => json(201, batch);
const unavailable = () => json(503, { status: 503, code: 'service_unavailable', detail: 'Try again later.' });
const lost = () => Promise.reject(new TypeError('Failed to fetch'));

/** The idempotency key of each request. */
let keys: (string | null)[];
function respondWith(responses: (() => Response | Promise<Response>)[]) {
  const queue = [...responses];
  vi.stubGlobal('fetch', async (_: string, { headers }: RequestInit) => {
    keys.push(new Headers(headers).get('idempotency-key'));
    return queue.shift()?.() ?? created();
  });
}
const run = async (settings: Parameters<typeof runRows>[0]['recipe'] = recipe) => {
  const done = runRows({ rows: [row], recipe: settings });
  await vi.advanceTimersByTimeAsync(60_000);
  await done;
};

beforeEach(() => {
  keys = [];
  setBulk({ ...emptyList, rows: [row] });
  vi.useFakeTimers();
  vi.stubGlobal('window', new EventTarget());
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('repeats the request for a batch with the same key when its response is lost', async () => {
  respondWith([lost, lost, created]);
  await run();
  expect(keys).toHaveLength(3);
  expect(new Set(keys).size).toBe(1);
  expect(getBulk().rows).toMatchObject([{ status: 'completed', item: { batchId: 'b' } }]);
});

it('keeps the key after server errors, which may have created the batch', async () => {
  respondWith(Array.from({ length: 5 }, () => unavailable));
  await run();
  expect(getBulk()).toMatchObject({ error: 'Try again later.', unconfirmedRequest: { rowIds: ['x'] } });
  await run();
  expect(keys).toHaveLength(6);
  expect(new Set(keys).size).toBe(1);
});

it('uses a new key for other settings and after a validation error', async () => {
  respondWith([() => json(422, { status: 422, code: 'invalid_parameter', detail: 'No.' })]);
  await run();
  respondWith(Array.from({ length: 5 }, () => unavailable));
  await run();
  respondWith([created]);
  await run({ ...recipe, scaleFactor: 3 });
  expect(new Set(keys).size).toBe(3);
});

it('asks for results that are never larger only if the option is changed', async () => {
  const bodies: { recipe: object }[] = [];
  vi.stubGlobal('fetch', async (_: string, { body }: RequestInit) => {
    bodies.push(JSON.parse(String(body)));
    return created();
  });
  await run({ ...recipe, scaleFactor: 1 });
  setBulk({ rows: [row] });
  await run({ ...recipe, scaleFactor: 1, neverLarger: false });
  expect(bodies.map(({ recipe }) => recipe)).toEqual([
    expect.not.objectContaining({ neverLarger: expect.anything() }),
    expect.objectContaining({ neverLarger: false }),
  ]);
});

it('creates a batch for each recipe when rows have options of their own', async () => {
  const bodies: { recipe: { scaleFactor: number; grain: number; detail?: string }; items: { clientId: string }[] }[] =
    [];
  vi.stubGlobal('fetch', async (_: string, { body }: RequestInit) => {
    const asked = JSON.parse(String(body));
    bodies.push(asked);
    const items = asked.items.map(({ clientId }: { clientId: string }) => ({
      ...{ id: clientId, clientId, status: 'completed', progress: 100, notes: [] },
    }));
    return json(201, { id: `b${bodies.length}`, items });
  });
  const rows = [row, { ...row, id: 'y', options: { scaleFactor: 4 } }, { ...row, id: 'z' }];
  setBulk({ rows });
  const done = runRows({ rows, recipe: { ...recipe, engine: 'photo', grain: 20, detail: 'crisp' } });
  await vi.advanceTimersByTimeAsync(60_000);
  await done;
  expect(
    bodies.map(({ recipe, items }) => [
      ...[recipe.scaleFactor, recipe.grain, recipe.detail],
      items.map(({ clientId }) => clientId),
    ]),
  ).toEqual([
    [2, 20, 'crisp', ['x', 'z']],
    [4, 20, undefined, ['y']],
  ]);
  expect(getBulk().rows.map(({ item }) => item?.batchId)).toEqual(['b1', 'b2', 'b1']);
  expect(getBulk().requests).toEqual([]);
});

it('shows an error at once that ends at midnight, also after a retry', async () => {
  const limited = (retryAfterS: number) => () =>
    json(429, { status: 429, code: 'rate_limited', detail: 'Only 50 are left today.', meta: { retryAfterS } });
  respondWith([limited(1), limited(80_000)]);
  await run();
  expect(keys).toHaveLength(2);
  expect(getBulk()).toMatchObject({ error: 'Only 50 are left today.', stalled: false, starting: false });
});
