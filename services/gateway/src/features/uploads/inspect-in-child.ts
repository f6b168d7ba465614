import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { AppError } from '@uprez/contracts/errors/app-error';
import type { ErrorCode } from '@uprez/contracts/errors/error-codes';
import type { LimitName } from '@uprez/contracts/policy/limit-names';
import { limits } from '@uprez/contracts/policy/limits';
import type { FromChild } from '@uprez/contracts/schemas/child-messages';
import type { Inspection } from '@uprez/contracts/schemas/image-plan';
import type { KeptChild, PixelChild } from '@uprez/runtime/open-pixel-child';
import { withTimeout } from '@uprez/runtime/run-checks';
import { limitWork, type WorkLimit } from './limit-work.ts';

/** A child that reads more often than any file needs is killed. */
const maxReads = 64;

/** Why a child was killed. */
const limitOfExit: Partial<Record<ErrorCode, LimitName>> = {
  processing_timeout: 'inspection_time',
  processing_memory: 'inspection_memory',
};

export type Read = (from: number, length: number) => Promise<Readable>;
type Options = { sizeBytes: number; read: Read; readyMs: number };

/** Have one child inspect an image, and pass it the ranges it asks for. The child is killed when it works too long. */
export async function inspectInChild(child: KeptChild, { sizeBytes, read, readyMs }: Options): Promise<Inspection> {
  const open = await withTimeout(readyMs, child.get(), () => new AppError('service_unavailable'));
  const nextMessage = () => new Promise<FromChild>((resolve) => child.listen(resolve));
  const work = limitWork(open, { cpuMs: limits.inspectionMs, waitMs: limits.inspectionWaitMs });
  let answer = nextMessage();
  open.send({ type: 'inspect', runId: randomUUID(), sizeBytes });
  for (let reads = 0; ; reads++) {
    const message = await work.during(answer);
    if (typeof message === 'string') throw errorOfExit(message, work);
    if (message.type === 'inspected') return message.inspection;
    if (message.type === 'failed')
      throw new AppError(message.code, { detail: message.detail, limitName: message.limitName });
    if (message.type !== 'read' || reads === maxReads) {
      open.kill('processing_crashed');
      throw new Error(`The inspection child sent an unexpected ${message.type} message.`);
    }
    answer = nextMessage();
    await feed(open, work, () => read(message.from, message.length));
  }
}

/** The image is to blame for the end of a child, unless the machine had no time for it. */
const errorOfExit = (reason: ErrorCode, work: WorkLimit) =>
  work.isStarved()
    ? new AppError('service_unavailable', { cause: new Error('an inspection got too little CPU time') })
    : new AppError('corrupt_image', { cause: reason, limitName: limitOfExit[reason] });

/** Pass a range on to a child. When it cannot be read, the child is killed, because it cannot be told, and the error is thrown. */
async function feed(open: PixelChild, work: WorkLimit, read: () => Promise<Readable>): Promise<void> {
  try {
    for await (const chunk of await read()) {
      if (open.bytes.write(chunk)) continue;
      // A child that died breaks the pipe, perhaps before its exit is known.
      await work.during(once(open.bytes, 'drain').catch(() => open.exited));
      if (!open.bytes.writable) return;
    }
  } catch (error) {
    open.kill('processing_crashed');
    throw error;
  }
}
