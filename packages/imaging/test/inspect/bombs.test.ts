import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { limits } from '@uprez/contracts/policy/limits';
import type { MessageFromChild } from '@uprez/contracts/schemas/jobs/child-messages';
import { cpuTimeMs } from '@uprez/runtime/open-pixel-child';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeGif } from '../hostile/animations.ts';
import type { Bomb } from '../hostile/bomb.ts';
import { avifOf, bombs, heavy } from '../hostile/bombs.ts';
import { structureBombs } from '../hostile/structure-bombs.ts';
import { type Child, isMessage, startChild } from '../support/child-process.ts';
import { encodeAs } from '../support/image-files.ts';
import { makePhoto } from '../support/images.ts';
import { makeJobDir, pipelineFor } from '../support/run-job.ts';

const isLinux = process.platform === 'linux';
const megabyte = 1024 * 1024;
type Answer = Extract<MessageFromChild, { type: 'inspected' | 'done' | 'failed' }>;
const isAnswer =
  (runId: string) =>
  (message: MessageFromChild): message is Answer =>
    (message.type === 'inspected' || message.type === 'done' || message.type === 'failed') && message.runId === runId;

/** Resident memory of a process now, and the most since the last `forgetPeak`, bytes; only Linux tells. */
function memoryOf(pid: number) {
  if (!isLinux) return { now: 0, peak: 0 };
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const read = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) * 1024;
  return { now: read('VmRSS'), peak: read('VmHWM') };
}
const forgetPeak = async (pid: number) => isLinux && writeFile(`/proc/${pid}/clear_refs`, '5');

describe('the inspecting child', () => {
  let child: Child;
  const ask = async (runId: string, file: Buffer) => {
    child.inspect(runId, file);
    return child.next(isAnswer(runId));
  };
  beforeAll(async () => {
    child = startChild('inspect/child', {});
    await child.next(isMessage('ready'));
    for (const format of ['jpeg', 'png', 'webp'] as const)
      await ask(format, await encodeAs(makePhoto({ width: 99, height: 99 }), format));
  });
  afterAll(() => child.stop());

  it.each<Bomb>([...bombs, ...structureBombs])(
    'rejects a $name by its header within the limits of memory and CPU time',
    async ({ name, code, make }) => {
      const file = await make();
      const pid = child.process.pid ?? 0;
      await forgetPeak(pid);
      const before = memoryOf(pid).now;
      const start = cpuTimeMs(pid);
      const answer = await ask(name, file);
      expect(cpuTimeMs(pid) - start).toBeLessThan(limits.inspectionMs);
      // The file itself is held besides.
      expect(memoryOf(pid).peak - before - file.length).toBeLessThan(100 * megabyte);
      expect(answer).toMatchObject({
        type: 'failed',
        detail: expect.stringMatching(/^[A-Z].*\.$/),
      });
      expect([code].flat()).toContain(answer.type === 'failed' ? answer.code : answer.type);
    },
  );
});

describe('the engine child', () => {
  let child: Child;
  beforeAll(async () => {
    child = startChild('engine/child', { engines: ['standard'], modelsDir: '/nonexistent', threads: 1 });
    await child.next(isMessage('ready'));
  });
  afterAll(() => child.stop());

  it.each(heavy)('processes a $name within its limits', async ({ name, isWhole, make }) => {
    const file = await make();
    const pipeline = await pipelineFor(file, { width: 300, height: 300, fit: 'inside', format: 'webp' });
    const { dir, remove } = await makeJobDir(file);
    const pid = child.process.pid ?? 0;
    await forgetPeak(pid);
    child.send({ type: 'run', runId: name, pipeline, dir });
    const answer = await child.next(isAnswer(name));
    if (isWhole) expect(answer.type, child.log()).toBe('done');
    else expect(answer).toMatchObject({ type: 'failed', code: 'corrupt_image' });
    // Includes what the allocator kept of the files before: up to 606 MB were seen.
    expect(memoryOf(pid).peak).toBeLessThan(700 * megabyte);
    await remove();
  });

  it('verifies the pipeline again', async () => {
    const pipeline = await pipelineFor(await encodeAs(makePhoto({ width: 99, height: 99 }), 'png'));
    for (const { name, code, make } of bombs.slice(0, 3)) {
      const { dir, remove } = await makeJobDir(await make());
      child.send({ type: 'run', runId: join('again', name), pipeline, dir });
      expect(await child.next(isMessage('failed', join('again', name)))).toMatchObject({ code });
      await remove();
    }
  });
});

describe('makePipeline', () => {
  it('rejects an image that would grow a million times', async () => {
    const file = makeGif({ width: 1, height: 1, frames: 1_000 });
    await expect(pipelineFor(file, { width: 10_000, format: 'gif' })).rejects.toThrow(/maximum is 100 megapixels/);
  });

  it('rejects an image when its decoder needs too much memory', async () => {
    await expect(pipelineFor(await avifOf(10_000, 10_000), { longSide: 900 })).rejects.toThrow(/MB of memory/);
  });
});
