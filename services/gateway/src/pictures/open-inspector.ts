import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AppError } from '@uprez/contracts/app-error';
import type { FromChild } from '@uprez/contracts/child-messages';
import type { Inspection } from '@uprez/contracts/image-plan';
import { limits } from '@uprez/contracts/limits';
import type { Jail } from '@uprez/runtime/jail';
import { type KeptChild, keepPixelChild } from '@uprez/runtime/keep-pixel-child';
import type { Logger } from '@uprez/runtime/open-logger';

const module = createRequire(import.meta.url).resolve('@uprez/imaging/inspect/child');
const readyMs = 20_000;

export type Inspector = {
  /**
   * Facts of a picture's header, read in a jailed child from `stream` (`sizeBytes` long). One at a time, 2 s each.
   * Throws the child's code, or `corrupt_image` when the child died or ran out of time over this picture.
   */
  inspect: (stream: Readable, sizeBytes: number) => Promise<Inspection>;
  close: () => Promise<void>;
};

/** Open the gateway's one inspecting child; a child that dies is replaced. */
export function openInspector(jail: Jail, logger: Logger): Inspector {
  const child = keepPixelChild({
    jail,
    module,
    options: {},
    memoryBytes: limits.inspectionMemoryBytes,
    readyMs,
    onLog: (line) => logger.warn({ line }, 'the inspecting child wrote'),
    onStartFailed: (error) => logger.error({ err: error }, 'the inspecting child did not start'),
  });
  let line: Promise<unknown> = Promise.resolve();
  return {
    inspect: (stream, sizeBytes) => {
      const turn = line.then(() => inspectOne(child, stream, sizeBytes));
      line = turn.catch(() => {});
      return turn;
    },
    close: child.close,
  };
}

/** Send one picture and await its facts. The child is killed when it takes too long, or the bytes do not come. */
async function inspectOne(child: KeptChild, stream: Readable, sizeBytes: number): Promise<Inspection> {
  const open = await child.get();
  const runId = randomUUID();
  const timer = setTimeout(() => open.kill('processing_timeout'), limits.inspectionMs);
  try {
    const answer = new Promise<FromChild>((resolve) => child.listen(resolve));
    open.send({ type: 'inspect', runId, sizeBytes });
    pipeline(stream, open.bytes, { end: false }).catch(() => open.kill('processing_crashed'));
    const message = await Promise.race([answer, open.exited]);
    if (typeof message === 'string') throw new AppError('corrupt_image', { cause: message });
    if (message.type === 'inspected') return message.inspection;
    if (message.type === 'failed') throw new AppError(message.code, { detail: message.detail });
    throw new Error(`The inspecting child answered ${message.type}.`);
  } finally {
    clearTimeout(timer);
    child.listen(() => {});
    stream.destroy();
  }
}
