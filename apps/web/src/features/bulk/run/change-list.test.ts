import type { Batch } from '@uprez/contracts/schemas/jobs/batch';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { randomId } from '../../../lib/browser/random-id.ts';
import { useToasts } from '../../../lib/notifications/toast-store.ts';
import { emptyList, getBulk, setBulk } from '../state/bulk-store.ts';
import type { Row } from '../state/row.ts';
import { cancelAll, pauseRun, resumeRun } from './change-list.ts';
import { sendFiles, stopSending } from './send-files.ts';

const rowOf = (id: string, batchId: string, more: Partial<Row> = {}): Row => ({
  ...{ id, name: `${id}.png`, relativePath: `${id}.png`, size: 5, file: new File(['12345'], `${id}.png`) },
  ...{ status: 'pending', sent: 0, progress: 0, awaitsFile: true, item: { batchId, itemId: id } },
  ...more,
});
const queued = (id: string, batchId: string) => rowOf(id, batchId, { status: 'queued', awaitsFile: false });

/** A request for a pause that the server hasn't answered. */
type Held = { batchId: string; paused: boolean; answer: (status?: number) => Promise<void> };

/** IDs of batches. */
let [one, two] = ['', ''];
let held: Held[];
/** What the server does: whether each batch is paused, and the items of its uploads. */
let server: { paused: Map<string, boolean>; uploads: { itemId: string; finish: () => Promise<void> }[] };

const problem = { code: 'account_blocked', detail: 'No.' };

function holdPause(url: string, { body }: RequestInit): Promise<Response> {
  const batchId = url.split('/').at(-2) ?? '';
  const { paused } = JSON.parse(String(body));
  return new Promise((resolve) => {
    const answer = async (status = 200) => {
      held = held.filter((one) => one.answer !== answer);
      if (status === 200) server.paused.set(batchId, paused);
      const reply = status === 200 ? ({ id: batchId, items: [] } as unknown as Batch) : { status, ...problem };
      resolve(new Response(JSON.stringify(reply), { status, headers: { 'content-type': 'application/problem+json' } }));
      await vi.advanceTimersByTimeAsync(0);
    };
    held.push({ batchId, paused, answer });
  });
}

/** An upload whose item is queued when it ends. */
class HeldUpload {
  status = 200;
  responseText = '';
  upload = {};
  onload = () => {};
  onabort = () => {};
  #itemId = '';
  open(_: string, url: string) {
    this.#itemId = url.split('/').at(-1) ?? '';
  }
  setRequestHeader() {}
  abort() {
    this.onabort();
  }
  send() {
    const id = this.#itemId;
    const finish = async () => {
      server.uploads = server.uploads.filter(({ itemId }) => itemId !== id);
      this.responseText = JSON.stringify({ id, clientId: id, status: 'queued', progress: 0, jobId: id, notes: [] });
      this.onload();
      await vi.advanceTimersByTimeAsync(0);
    };
    server.uploads.push({ itemId: id, finish });
  }
}

/** Answers requests until none is left, the last one first, because they may arrive in any order. */
async function settle() {
  await vi.advanceTimersByTimeAsync(0);
  for (let next = held.at(-1); next; next = held.at(-1)) await next.answer();
}

beforeEach(() => {
  [one, two] = [randomId(), randomId()];
  held = [];
  server = { paused: new Map(), uploads: [] };
  vi.useFakeTimers();
  vi.stubGlobal('window', new EventTarget());
  vi.stubGlobal('XMLHttpRequest', HeldUpload);
  vi.stubGlobal('EventSource', class extends EventTarget {});
  vi.stubGlobal('fetch', (url: string, init: RequestInit) =>
    url.endsWith('/pause') ? holdPause(url, init) : new Promise(() => {}),
  );
});
afterEach(() => {
  stopSending();
  setBulk({ ...emptyList });
  useToasts.setState({ toasts: [] });
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('resumes all batches when the run is resumed while they are being paused', async () => {
  setBulk({ ...emptyList, rows: [queued('a', one), queued('b', two)] });
  void pauseRun();
  void resumeRun();
  await settle();
  expect(getBulk().paused).toBe(false);
  expect([...server.paused].filter(([, paused]) => paused)).toEqual([]);
});

it.each([2, 3, 4, 5])('ends as the last of %d quick changes', async (changes) => {
  setBulk({ ...emptyList, rows: [queued('a', one), queued('b', two)] });
  for (let change = 0; change < changes; change += 1) void (change % 2 === 0 ? pauseRun() : resumeRun());
  await settle();
  const { paused } = getBulk();
  expect(paused).toBe(changes % 2 === 1);
  expect(server.paused.get(one) ?? false).toBe(paused);
  expect(server.paused.get(two) ?? false).toBe(paused);
});

it('sends one request at a time for a batch', async () => {
  setBulk({ ...emptyList, rows: [queued('a', one)] });
  void pauseRun();
  void resumeRun();
  void pauseRun();
  await vi.advanceTimersByTimeAsync(0);
  expect(held).toHaveLength(1);
  await settle();
  expect(server.paused.get(one)).toBe(true);
});

it('sends no other file when uploads end while the run is paused', async () => {
  setBulk({ ...emptyList, rows: ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => rowOf(id, one)) });
  sendFiles();
  await vi.advanceTimersByTimeAsync(0);
  expect(server.uploads.map(({ itemId }) => itemId)).toEqual(['a', 'b', 'c', 'd']);
  void pauseRun();
  // The first pause is on its way while the uploads end.
  await vi.advanceTimersByTimeAsync(0);
  for (const { finish } of [...server.uploads]) await finish();
  await settle();
  expect(server.uploads).toEqual([]);
  expect(server.paused.get(one)).toBe(true);
  expect(getBulk().rows.map(({ status }) => status)).toEqual([...Array(4).fill('queued'), 'pending', 'pending']);
});

it('sends each file once when the run is paused and resumed during uploads', async () => {
  const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
  setBulk({ ...emptyList, rows: ids.map((id) => rowOf(id, one)) });
  const sent: string[] = [];
  sendFiles();
  for (let round = 0; round < 20; round += 1) {
    void (round % 2 === 0 ? pauseRun() : resumeRun());
    await vi.advanceTimersByTimeAsync(0);
    const [upload] = server.uploads;
    if (upload) {
      sent.push(upload.itemId);
      await upload.finish();
    }
    if (round % 3 === 0) await held[0]?.answer();
  }
  await settle();
  expect(sent.toSorted()).toEqual(ids);
  expect(getBulk().rows.map(({ status }) => status)).toEqual(ids.map(() => 'queued'));
  expect(getBulk().paused).toBe(false);
  expect(server.paused.get(one) ?? false).toBe(false);
});

it('continues the run and shows an error when the server refuses to pause it', async () => {
  setBulk({ ...emptyList, rows: [queued('a', one), queued('b', two)] });
  void pauseRun();
  await vi.advanceTimersByTimeAsync(0);
  await held.find(({ batchId }) => batchId === two)?.answer(403);
  await settle();
  expect(getBulk().paused).toBe(false);
  expect(server.paused.get(one) ?? false).toBe(false);
  expect(useToasts.getState().toasts).toHaveLength(1);
});

it('stays paused when the server refuses to resume it', async () => {
  setBulk({ ...emptyList, rows: [queued('a', one)] });
  void pauseRun();
  await vi.advanceTimersByTimeAsync(0);
  await settle();
  void resumeRun();
  await vi.advanceTimersByTimeAsync(0);
  await held[0]?.answer(403);
  expect(getBulk().paused).toBe(true);
  expect(held).toEqual([]);
});

it('resumes batches that could not be canceled', async () => {
  setBulk({ ...emptyList, rows: [queued('a', one)] });
  void pauseRun();
  await vi.advanceTimersByTimeAsync(0);
  await settle();
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) =>
    url.endsWith('/pause') ? holdPause(url, init) : Response.json({ status: 403, ...problem }, { status: 403 }),
  );
  await cancelAll();
  await vi.advanceTimersByTimeAsync(0);
  await settle();
  expect(getBulk().paused).toBe(false);
  expect(server.paused.get(one)).toBe(false);
});
