import { Socket } from 'node:net';
import * as z from 'zod';
import { dropPrivileges } from '../child/drop-privileges.ts';
import { listenToParent, tellFailure, tellParent } from '../child/parent-link.ts';
import { guardedSharp } from '../decoders.ts';
import { inspect } from './inspect.ts';
import { readExactly } from './read-exactly.ts';

/**
 * The inspecting child: becomes an unprivileged user, then reads images from file descriptor 4, one for each
 * `inspect` message and `sizeBytes` long, and answers `inspected` or `failed` in the same order. Started with this JSON
 * in argv[2].
 */
const optionsSchema = z.object({ uid: z.int().optional(), gid: z.int().optional() });
const imagesFd = 4;

const options = optionsSchema.parse(JSON.parse(process.argv[2] ?? '{}'));
guardedSharp.concurrency(1);
const images = new Socket({ fd: imagesFd, readable: true, writable: false });
let queue = Promise.resolve();

async function answer(runId: string, sizeBytes: number): Promise<void> {
  try {
    const file = await readExactly(images, sizeBytes);
    tellParent({ type: 'inspected', runId, inspection: await inspect(file) });
  } catch (error) {
    tellFailure(runId, error);
  }
}

listenToParent((message) => {
  if (message.type === 'inspect') queue = queue.then(() => answer(message.runId, message.sizeBytes));
});

dropPrivileges(options);
tellParent({ type: 'ready', engines: [], networks: [], device: 'cpu' });
