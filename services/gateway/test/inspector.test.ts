import fs from 'node:fs';
import { Readable } from 'node:stream';
import { AppError } from '@uprez/contracts/errors/app-error';
import { probeJail } from '@uprez/runtime/jail';
import { openLogger } from '@uprez/runtime/open-logger';
import { makeImage } from '@uprez/testing/make-image';
import { waitUntil } from '@uprez/testing/wait-until';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Inspector, openInspector } from '../src/features/uploads/open-inspector.ts';

let inspector: Inspector;
let image: Buffer;
beforeAll(async () => {
  inspector = openInspector(probeJail('auto'), openLogger({ service: 'gateway', level: 'silent' }));
  image = await makeImage({ width: 30, height: 20 });
  await works();
});
afterAll(() => inspector.close());

const inspect = (file: Buffer) => inspector.inspect(Readable.from([file]), file.length);
const works = async () => expect(await inspect(image)).toMatchObject({ format: 'png', width: 30, height: 20 });

/** The inspecting child's process id, by what runs in it. */
const findChild = () =>
  waitUntil(() => {
    const ids = fs.readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').split(' ').map(Number);
    const runs = (id: number) => fs.readFileSync(`/proc/${id}/cmdline`, 'utf8').includes('imaging/dist/inspect/child');
    return ids.filter((id) => id > 0).find(runs);
  });

it('passes the error of a storage that fails on the way on, and goes on with another child', async () => {
  async function* broken() {
    yield image.subarray(0, 100);
    throw new AppError('service_unavailable');
  }
  const answer = inspector.inspect(Readable.from(broken()), image.length);
  await expect(answer).rejects.toMatchObject({ code: 'service_unavailable' });
  await works();
});

it('takes a child that dies over an image for a damaged image, and goes on with another', async () => {
  const child = await findChild();
  process.kill(child, 'SIGSTOP');
  const answer = inspect(image);
  process.kill(child, 'SIGKILL');
  await expect(answer).rejects.toMatchObject({ code: 'corrupt_image' });
  await works();
});

it('gives an image 2 s, however large it is', async () => {
  for (const file of [image, Buffer.alloc(5_000_000, 1)]) {
    process.kill(await findChild(), 'SIGSTOP');
    await expect(inspect(file)).rejects.toMatchObject({ code: 'corrupt_image' });
    await works();
  }
});

it('is not disturbed by a child that dies while it has nothing to do', async () => {
  const child = await findChild();
  process.kill(child, 'SIGKILL');
  await waitUntil(() => !fs.existsSync(`/proc/${child}`));
  await works();
});
