import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import type { Readable } from 'node:stream';
import { AppError } from '@uprez/contracts/errors/app-error';
import { limits } from '@uprez/contracts/policy/limits';
import type { FromChild } from '@uprez/contracts/schemas/child-messages';
import type { Inspection } from '@uprez/contracts/schemas/image-plan';
import type { Jail } from '@uprez/runtime/jail';
import { type KeptChild, keepPixelChild } from '@uprez/runtime/keep-pixel-child';
import type { Logger } from '@uprez/runtime/open-logger';
import type { PixelChild } from '@uprez/runtime/open-pixel-child';
import { within } from '@uprez/runtime/within';

const module = createRequire(import.meta.url).resolve('@uprez/imaging/inspect/child');
const readyMs = 20_000;

export type Inspector = {
  /**
   * Facts of an image's header, read in a jailed child from `stream` (`sizeBytes` long). One at a time, 2 s each from
   * the last byte on. Throws the child's code, `corrupt_image` when the child died or ran out of time over this
   * image, the stream's own error, or `service_unavailable` when there is no child.
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
      const turn = line.then(() => inspectOne(child, stream, sizeBytes)).finally(() => stream.destroy());
      line = turn.catch(() => {});
      return turn;
    },
    close: child.close,
  };
}

/** Send one image and await its facts. The child is killed when it takes too long, or the bytes do not come. */
async function inspectOne(child: KeptChild, stream: Readable, sizeBytes: number): Promise<Inspection> {
  const open = await within(readyMs, child.get(), () => new AppError('service_unavailable'));
  const answer = new Promise<FromChild>((resolve) => child.listen(resolve));
  let timer: NodeJS.Timeout | undefined;
  try {
    open.send({ type: 'inspect', runId: randomUUID(), sizeBytes });
    await feed(stream, open);
    timer = setTimeout(() => open.kill('processing_timeout'), limits.inspectionMs);
    const message = await Promise.race([answer, open.exited]);
    if (typeof message === 'string') throw new AppError('corrupt_image', { cause: message });
    if (message.type === 'inspected') return message.inspection;
    if (message.type === 'failed') throw new AppError(message.code, { detail: message.detail });
    throw new Error(`The inspecting child answered ${message.type}.`);
  } finally {
    clearTimeout(timer);
    child.listen(() => {});
  }
}

/**
 * Pass the stream on to the child. A child that takes nothing for 2 s is killed; one that died is told by `exited`.
 * Throws the stream's error: then the child, left in mid-image, is killed too.
 */
async function feed(stream: Readable, open: PixelChild): Promise<void> {
  try {
    for await (const chunk of stream) {
      if (open.bytes.write(chunk)) continue;
      const drained = once(open.bytes, 'drain', { signal: AbortSignal.timeout(limits.inspectionMs) });
      await drained.catch(() => open.kill('processing_timeout'));
      if (!open.bytes.writable) return;
    }
  } catch (error) {
    open.kill('processing_crashed');
    throw error;
  }
}
