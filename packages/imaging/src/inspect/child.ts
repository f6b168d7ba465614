import { Socket } from 'node:net';
import * as z from 'zod';
import { dropPrivileges, onParentMessage, sendFailure, sendToParent } from '../child/parent-link.ts';
import { guardedSharp } from '../decoders.ts';
import { inspectRanges } from './inspect.ts';
import { readExactly } from './read-exactly.ts';

/**
 * The inspection child: drops its privileges, then answers each `inspect` message with `inspected` or `failed`, one image
 * at a time. It asks for the bytes it needs by `read` messages and takes them from file descriptor 4. Started with this
 * JSON in argv[2].
 */
const optionsSchema = z.object({ uid: z.int().optional(), gid: z.int().optional() });
const imagesFd = 4;

const options = optionsSchema.parse(JSON.parse(process.argv[2] ?? '{}'));
guardedSharp.concurrency(1);
const images = new Socket({ fd: imagesFd, readable: true, writable: false });
let queue = Promise.resolve();

async function inspectImage(runId: string, sizeBytes: number): Promise<void> {
  try {
    const inspection = await inspectRanges(sizeBytes, (from, length) => {
      sendToParent({ type: 'read', runId, from, length });
      return readExactly(images, length);
    });
    sendToParent({ type: 'inspected', runId, inspection });
  } catch (error) {
    sendFailure(runId, error);
  }
}

onParentMessage((message) => {
  if (message.type === 'inspect') queue = queue.then(() => inspectImage(message.runId, message.sizeBytes));
});

dropPrivileges(options);
sendToParent({ type: 'ready', engines: [], networks: [], device: 'cpu' });
