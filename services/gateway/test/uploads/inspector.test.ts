import fs from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { AppError } from '@uprez/contracts/errors/app-error';
import type { ErrorCode } from '@uprez/contracts/errors/error-codes';
import { limits } from '@uprez/contracts/policy/limits';
import { currentPlans } from '@uprez/contracts/policy/plans/plans';
import { type InspectionCaller, inspectionCallerOf } from '@uprez/domain/intake/prepare-upload';
import { probeJail } from '@uprez/runtime/jail';
import { openLogger } from '@uprez/runtime/open-logger';
import { openMetrics } from '@uprez/runtime/open-metrics';
import { openDiskStorage } from '@uprez/storage/open-disk-storage';
import type { Storage } from '@uprez/storage/storage';
import { makeImage } from '@uprez/testing/make-image';
import { waitUntil } from '@uprez/testing/wait-until';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Inspector, openInspector } from '../../src/features/uploads/open-inspector.ts';

/** Ranges read so far, as `key start-end`. */
const reads: string[] = [];
/** Called before each read. */
let onRead: (key: string) => Promise<void> = async () => {};
/** Called before the bytes of each read are passed on. */
let onBytes = () => {};
let dataDir: string;
let storage: Storage;
let inspector: Inspector;
const metrics = openMetrics();
/** Inspection children of gateways of other files, in the same process. */
let foreign: readonly number[] = [];
/** The child that was started before the first image. */
let first: number;
const image = await makeImage({ width: 30, height: 20 });
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'uprez-inspector-test-'));
  storage = openDiskStorage({ dataDir });
  await storage.ensure();
  const get: Storage['get'] = async (key, options) => {
    await onRead(key);
    reads.push(`${key} ${options?.range?.start}-${options?.range?.end}`);
    const found = await storage.get(key, options);
    return { ...found, stream: Readable.from(pass(found.stream)) };
  };
  const logger = openLogger({ service: 'gateway', level: 'silent' });
  foreign = listChildren();
  inspector = openInspector({ jail: probeJail('auto'), logger, storage: { get }, metrics, rateLimitScale: 1 });
  inspector.warmUp();
  first = await findChild();
  await expectToWork();
});
beforeEach(() => {
  onRead = async () => {};
  onBytes = () => {};
});
afterAll(async () => {
  await inspector.close();
  await rm(dataDir, { recursive: true });
});

async function* pass(stream: Readable) {
  for await (const chunk of stream) {
    onBytes();
    yield chunk;
  }
}

const free = { key: 'one account', plan: currentPlans.free } as const;
const inspect = async (file: Buffer, key = 'image', caller: InspectionCaller = free) => {
  await storage.put(key, Readable.from([file]));
  return inspector.inspect({ key, sizeBytes: file.length }, caller);
};
/** Stores an image under a key. The first read of each inspection of it waits until `release` is called. */
async function storeSlow(key: string) {
  await storage.put(key, Readable.from([image]));
  let started = 0;
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  onRead = async (read) => {
    if (read !== key) return;
    started++;
    await released;
  };
  return { stored: { key, sizeBytes: image.length }, started: () => started, release };
}
const expectToWork = async () => expect(await inspect(image)).toMatchObject({ format: 'png', width: 30, height: 20 });

/** The process IDs of the inspection children. */
function listChildren(): number[] {
  const childrenOf = (id: number) =>
    fs.readFileSync(`/proc/${id}/task/${id}/children`, 'utf8').split(' ').map(Number).filter(Boolean);
  const runs = (id: number) =>
    /^[^\0]*node\0.*imaging\/dist\/inspect\/child/.test(fs.readFileSync(`/proc/${id}/cmdline`, 'utf8'));
  // Launchers have them as their only child.
  return childrenOf(process.pid)
    .flatMap((id) => [id, ...childrenOf(id)])
    .filter((id) => runs(id) && !foreign.includes(id));
}
const findChild = () => waitUntil(() => listChildren()[0]);
/** Whether a process has ended, also if its launcher took note of that. */
function hasEnded(id: number): boolean {
  try {
    return /^State:\s+Z/m.test(fs.readFileSync(`/proc/${id}/status`, 'utf8'));
  } catch {
    return true;
  }
}
/** Waits without turning the event loop, so that the exit of the child stays unknown. */
function killBeforeExitIsKnown(child: number): void {
  process.kill(child, 'SIGKILL');
  while (!hasEnded(child));
}

/** The value of a sample, 0 when it is missing. */
async function read(sample: string): Promise<number> {
  const { body } = await metrics.render();
  const line = body.split('\n').find((one) => one.startsWith(`${sample} `));
  return Number(line?.slice(sample.length) ?? 0);
}
/** Exits of inspection children so far, by reason. */
const countExits = (reason: string) => read(`child_exits_total{child="inspection",reason="${reason}"}`);

/** Sends a signal to the child while it inspects the image, and checks that another child works afterward. */
async function expectAfter(signal: NodeJS.Signals, code: ErrorCode): Promise<void> {
  onRead = async () => void process.kill(await findChild(), signal);
  await expect(inspect(image)).rejects.toMatchObject({ code });
  onRead = async () => {};
  await expectToWork();
}

it('inspects the first image in the child that was started before', () => {
  expect(listChildren()).toEqual([first]);
});

it('throws the error of the storage and continues with another child', async () => {
  onRead = async () => {
    throw new AppError('service_unavailable');
  };
  await expect(inspect(image)).rejects.toMatchObject({ code: 'service_unavailable' });
  onRead = async () => {};
  await expectToWork();
});

it('reads only the header of a large image', async () => {
  const large = await makeImage({ width: 1_500, height: 1_000, format: 'jpeg' });
  expect(large.length).toBeGreaterThan(200_000);
  expect(await inspect(large, 'large')).toMatchObject({ format: 'jpeg', width: 1_500, height: 1_000 });
  expect(reads.filter((read) => read.startsWith('large'))).toEqual(['large 0-65535']);
});

it('throws corrupt_image when the child dies, counts it as crashed, and continues with another', async () => {
  const before = await countExits('processing_crashed');
  await expectAfter('SIGKILL', 'corrupt_image');
  expect(await countExits('processing_crashed')).toBe(before + 1);
});

it('throws corrupt_image when bytes are passed to a child that died unnoticed', async () => {
  onBytes = () => listChildren().forEach(killBeforeExitIsKnown);
  await expect(inspect(image)).rejects.toMatchObject({ code: 'corrupt_image' });
  onBytes = () => {};
  await expectToWork();
});

it('blames no image when the child gets no CPU time for 10 s, and counts a timeout', async () => {
  const before = await countExits('processing_timeout');
  await expectAfter('SIGSTOP', 'service_unavailable');
  expect(await countExits('processing_timeout')).toBe(before + 1);
});

it('replaces a child that dies while it is idle', async () => {
  const child = await findChild();
  process.kill(child, 'SIGKILL');
  await waitUntil(() => !fs.existsSync(`/proc/${child}`));
  await expectToWork();
});

it('inspects two images of one account at a time, and four of several', async () => {
  const slow = await storeSlow('slow');
  const accounts = ['one', 'two', 'one', 'two', 'one', 'two'];
  const inspections = accounts.map((key) => inspector.inspect(slow.stored, { key, plan: currentPlans.pro }));
  await waitUntil(() => slow.started() === 4, { what: 'four reads' });
  expect(await read('inspections_waiting')).toBe(2);
  slow.release();
  expect((await Promise.all(inspections)).map(({ width }) => width)).toEqual(accounts.map(() => 30));
  expect(await read('inspections_waiting')).toBe(0);
});

it('inspects an image at once while another account sends slow ones', async () => {
  const slow = await storeSlow('slow');
  const inspections = Array.from({ length: 15 }, () => inspector.inspect(slow.stored, free));
  await waitUntil(() => slow.started() === 2, { what: 'the first slow reads' });
  expect(await inspect(image, 'quick', { key: 'another account', plan: currentPlans.free })).toMatchObject({
    width: 30,
  });
  expect(slow.started()).toBe(2);
  slow.release();
  await Promise.all(inspections);
});

it('inspects an image of an account at once while visitors of many networks send slow ones', async () => {
  const slow = await storeSlow('slow');
  const networks = Array.from({ length: 15 }, (_, at) => inspectionCallerOf(undefined, `192.0.${at}.1`));
  const inspections = networks.map((visitor) => inspector.inspect(slow.stored, visitor));
  await waitUntil(() => slow.started() === limits.visitorInspectionSlots, { what: 'the first slow read' });
  expect(await inspect(image, 'quick')).toMatchObject({ width: 30 });
  expect(slow.started()).toBe(limits.visitorInspectionSlots);
  slow.release();
  await Promise.all(inspections);
});

it('counts visitors of a network together', async () => {
  const slow = await storeSlow('slow');
  const visitorOf = (at: number) => inspectionCallerOf(undefined, `192.0.2.${at}`);
  const fitting = limits.waitingInspections + limits.visitorInspectionSlots;
  const inspections = Array.from({ length: fitting }, (_, at) => inspector.inspect(slow.stored, visitorOf(at)));
  expect(() => inspector.requireRoom(visitorOf(fitting))).toThrow(expect.objectContaining({ code: 'rate_limited' }));
  slow.release();
  expect(await Promise.all(inspections)).toHaveLength(fitting);
});

it('throws rate_limited when more images of a Free account wait than may', async () => {
  const slow = await storeSlow('slow');
  const fitting = limits.waitingInspections + 2;
  const inspections = Array.from({ length: fitting }, () => inspector.inspect(slow.stored, free));
  await expect(inspector.inspect(slow.stored, free)).rejects.toMatchObject({
    code: 'rate_limited',
    meta: { limit: limits.waitingInspections, retryAfterS: 5 },
  });
  expect(() => inspector.requireRoom(free)).toThrow(expect.objectContaining({ code: 'rate_limited' }));
  inspector.requireRoom({ ...free, key: 'another account' });
  slow.release();
  expect(await Promise.all(inspections)).toHaveLength(fitting);
});

it('inspects 100 images that a paying account sends at once', async () => {
  await storage.put('many', Readable.from([image]));
  const caller = { key: 'a paying account', plan: currentPlans.pro } as const;
  const stored = { key: 'many', sizeBytes: image.length };
  const inspections = Array.from({ length: limits.batchItems }, () => inspector.inspect(stored, caller));
  expect(await Promise.all(inspections)).toHaveLength(100);
});

it('counts the seconds of inspections by outcome', async () => {
  const count = (outcome: string) => read(`inspection_duration_seconds_count{outcome="${outcome}"}`);
  const [inspected, corrupt] = [await count('inspected'), await count('corrupt_image')];
  await expectToWork();
  await expect(inspect(image.subarray(0, 20))).rejects.toMatchObject({ code: 'corrupt_image' });
  expect([await count('inspected'), await count('corrupt_image')]).toEqual([inspected + 1, corrupt + 1]);
  expect(await read('inspection_duration_seconds_sum{outcome="corrupt_image"}')).toBeGreaterThan(0);
});
