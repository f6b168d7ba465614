import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { jobFiles, type MessageFromChild } from '@uprez/contracts/schemas/jobs/child-messages';
import { afterEach, describe, expect, it } from 'vitest';
import { type Child, isMessage, startChild } from '../support/child-process.ts';
import { decodeFile, encodeAs } from '../support/image-files.ts';
import { makePhoto, psnr } from '../support/images.ts';
import { plainBicubic } from '../support/plain-bicubic.ts';
import { makeJobDir, pipelineFor } from '../support/run-job.ts';

const photo = makePhoto({ width: 80, height: 60 });
const open: Child[] = [];
const start = (...args: Parameters<typeof startChild>) => {
  const child = startChild(...args);
  open.push(child);
  return child;
};
afterEach(async () => {
  await Promise.all(open.splice(0).map((child) => child.stop()));
});

const noModels = { engines: ['photo-fast', 'standard'], modelsDir: '/nonexistent', threads: 1 };
const isRoot = process.getuid?.() === 0;
const processNamespace = ['unshare', isRoot ? '-p' : '-Urp', '--fork', '--kill-child', '--'];
const hasNamespaces = spawnSync('unshare', [...processNamespace.slice(1), 'true']).status === 0;

describe('engine child', () => {
  it('reports its engines, runs pipelines sequentially, and exits with its parent', async () => {
    const child = start('engine/child', noModels);
    const ready = { type: 'ready', engines: ['standard'], device: 'cpu', networks: [] };
    expect(await child.next(isMessage('ready'))).toEqual(ready);
    expect(child.log()).toContain('npm run models:pull photo-fast');
    const file = await encodeAs(photo, 'png');
    const pipeline = await pipelineFor(file, { format: 'webp' });
    for (const runId of ['first', 'second']) {
      const { dir, remove } = await makeJobDir(file);
      child.send({ type: 'run', runId, pipeline, dir });
      const { result } = await child.next(isMessage('done', runId));
      const bytes = await readFile(join(dir, 'result'));
      expect(result).toMatchObject({ width: 160, height: 120, sizeBytes: bytes.length, engine: 'standard' });
      expect(psnr(await decodeFile(bytes), plainBicubic(photo, { width: 160, height: 120 }))).toBeGreaterThan(34);
      expect((await readFile(join(dir, 'thumbnail.webp'))).length).toBeGreaterThan(100);
      await remove();
    }
    expect(child.said.filter(isMessage('progress', 'first')).length).toBeGreaterThanOrEqual(4);
    const exit = once(child.process, 'exit');
    child.process.disconnect();
    expect(await exit).toEqual([0, null]);
  });

  it.runIf(hasNamespaces)('ends with its parent during a run, also as the first process of a namespace', async () => {
    const child = start('engine/child', noModels, processNamespace);
    await child.next(isMessage('ready'));
    const file = await encodeAs(photo, 'png');
    const { dir, remove } = await makeJobDir(file);
    const source = join(dir, jobFiles.source);
    await rm(source);
    // Nobody writes to it, so the run doesn't end.
    execFileSync('mkfifo', [source]);
    const exit = once(child.process, 'exit');
    child.send({ type: 'run', runId: 'endless', pipeline: await pipelineFor(file), dir });
    child.process.disconnect();
    await exit;
    await remove();
  });

  it('reports failures with a code and continues', async () => {
    const child = start('engine/child', noModels);
    await child.next(isMessage('ready'));
    const file = await encodeAs(photo, 'jpeg');
    const pipeline = await pipelineFor(file);
    const cut = await makeJobDir(file.subarray(0, Math.floor(file.length * 0.6)));
    child.send({ type: 'run', runId: 'cut', pipeline, dir: cut.dir });
    expect(await child.next(isMessage('failed', 'cut'))).toMatchObject({ code: 'corrupt_image' });
    const small = await pipelineFor(file, { format: 'jpeg', targetBytes: 1_024, scaleFactor: 8 });
    const whole = await makeJobDir(file);
    child.send({ type: 'run', runId: 'too small', pipeline: small, dir: whole.dir });
    expect(await child.next(isMessage('failed', 'too small'))).toMatchObject({
      code: 'target_bytes_unreachable',
      meta: { limit: 1_024, value: expect.any(Number) },
    });
    expect((await readdir(whole.dir)).sort()).toEqual(['source', 'thumbnail.webp']);
    child.send({ type: 'run', runId: 'no folder', pipeline, dir: '/nonexistent' });
    const crash = await child.next(isMessage('failed', 'no folder'));
    expect(crash.code).toBe('processing_crashed');
    expect(crash.detail).not.toContain('ENOENT');
    await expect.poll(() => child.log()).toContain('ENOENT');
    child.send({ type: 'run', runId: 'whole', pipeline, dir: whole.dir });
    await child.next(isMessage('done', 'whole'));
    await Promise.all([cut.remove(), whole.remove()]);
  });

  it.each([
    ['resampling', { scaleFactor: 6, format: 'png' }, 'enlarge'],
    ['a PNG encoder', { scaleFactor: 5, format: 'png' }, 'encode'],
    ['a JPEG encoder', { scaleFactor: 5, format: 'jpeg' }, 'encode'],
    ['an AVIF encoder', { scaleFactor: 1, format: 'avif' }, 'encode'],
    ['a JPEG XL encoder', { scaleFactor: 3, format: 'jxl' }, 'encode'],
  ] as const)('cancels the run that is named, and only that, in %s, and leaves no intermediate', async (...wanted) => {
    const [, recipe, stage] = wanted;
    const child = start('engine/child', noModels);
    await child.next(isMessage('ready'));
    const file = await encodeAs(makePhoto({ width: 900, height: 600 }), 'jpeg');
    const pipeline = await pipelineFor(file, recipe);
    const { dir, remove } = await makeJobDir(file);
    child.send({ type: 'run', runId: 'long', pipeline, dir });
    child.send({ type: 'cancel', runId: 'another' });
    const isStage = (message: MessageFromChild): message is MessageFromChild =>
      message.type === 'progress' && message.stage === stage;
    await child.next(isStage);
    child.send({ type: 'cancel', runId: 'long' });
    expect(await child.next(isMessage('failed', 'long'))).toMatchObject({ code: 'cancelled' });
    expect((await readdir(dir)).filter((name) => /try|tif|\.v$/.test(name))).toEqual([]);
    await remove();
  });

  it.runIf(isRoot)('switches to the given user before it is ready', async () => {
    const child = start('engine/child', { ...noModels, uid: 65_534, gid: 65_534 });
    await child.next(isMessage('ready'));
    const status = await readFile(`/proc/${child.process.pid}/status`, 'utf8');
    expect(status).toMatch(/^Uid:\t65534\t65534\t65534\t65534$/m);
    expect(status).toMatch(/^Gid:\t65534\t65534\t65534\t65534$/m);
    expect(status).toMatch(/^Groups:\s*$/m);
  });
});

describe('inspecting child', () => {
  it('inspects images sequentially and replies in order', async () => {
    const child = start('inspect/child', isRoot ? { uid: 65_534, gid: 65_534 } : {});
    await child.next(isMessage('ready'));
    const files: [string, Buffer][] = [
      ['png', await encodeAs(photo, 'png')],
      ['nothing', Buffer.alloc(0)],
      ['text', Buffer.from('not an image at all')],
      ['large', await encodeAs(makePhoto({ width: 700, height: 500 }), 'png')],
      ['jpeg', await encodeAs(photo, 'jpeg')],
    ];
    for (const [runId, file] of files) child.inspect(runId, file);
    const last = await child.next(isMessage('inspected', 'jpeg'));
    expect(last.inspection).toMatchObject({ format: 'jpeg', width: 80, height: 60 });
    const answers = child.said.flatMap((message) =>
      message.type === 'inspected' ? message.inspection.width : message.type === 'failed' ? message.code : [],
    );
    expect(answers).toEqual([80, 'empty_file', 'unsupported_format', 700, 80]);
  });

  it('exits with its parent', async () => {
    const child = start('inspect/child', {});
    await child.next(isMessage('ready'));
    const exit = once(child.process, 'exit');
    child.process.disconnect();
    expect(await exit).toEqual([0, null]);
  });
});
