import { Socket } from 'node:net';
import * as z from 'zod';
import { dropPrivileges, onParentMessage, sendFailure, sendToParent } from '../child/parent-link.ts';
import { readExactly } from '../child/read-exactly.ts';
import { guardedSharp } from '../decoders.ts';
import { inspectRanges } from './inspect.ts';

/**
 * Options of the inspection child, passed as JSON in argv[2]. The child drops its privileges, then answers each
 * `inspect` message with `inspected` or `failed`, one image at a time. It requests the bytes it needs with `read`
 * messages and receives them on file descriptor 4.
 */
const optionsSchema = z.object({ uid: z.int().optional(), gid: z.int().optional() });
const imagesFd = 4;

const options = optionsSchema.parse(JSON.parse(process.argv[2] ?? '{}'));
guardedSharp.concurrency(1);
const imageSocket = new Socket({ fd: imagesFd, readable: true, writable: false });
let queue = Promise.resolve();

async function inspectImage(runId: string, sizeBytes: number): Promise<void> {
  try {
    const read = (from: number, length: number) => {
      sendToParent({ type: 'read', runId, from, length });
      return readExactly(imageSocket, length);
    };
    const inspection = await inspectRanges({ sizeBytes, read });
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
