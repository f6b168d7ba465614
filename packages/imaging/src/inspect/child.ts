import { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import * as z from 'zod';
import { dropPrivileges, onParentMessage, sendFailure, sendToParent } from '../child/parent-link.ts';
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

/** Reads the next `sizeBytes` bytes of a stream without consuming more. Throws Error if the stream ends early. */
async function readExactly(stream: Readable, sizeBytes: number): Promise<Buffer> {
  const file = Buffer.allocUnsafeSlow(sizeBytes);
  for (let at = 0; at < sizeBytes; ) {
    const chunk: Buffer | null = stream.read(Math.min(stream.readableLength, sizeBytes - at));
    if (chunk) at += chunk.copy(file, at);
    else await waitForData(stream, sizeBytes - at);
  }
  return file;
}

async function waitForData(stream: Readable, missing: number): Promise<void> {
  if (stream.readableEnded || stream.destroyed) throw new Error(`the stream ended ${missing} bytes early`);
  await new Promise<void>((resolve, reject) => {
    const settle = (error?: Error) => {
      stream.off('readable', onReadable).off('end', onEnd).off('error', settle);
      if (error) reject(error);
      else resolve();
    };
    const onReadable = () => settle();
    const onEnd = () => settle(new Error(`the stream ended ${missing} bytes early`));
    stream.on('readable', onReadable).on('end', onEnd).on('error', settle);
  });
}
