import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import type { Readable } from 'node:stream';
import { AppError } from '@uprez/contracts/errors/app-error';
import type { ErrorCode } from '@uprez/contracts/errors/error-codes';
import type { LimitName } from '@uprez/contracts/policy/limit-names';
import { limits } from '@uprez/contracts/policy/limits';
import type { Plan } from '@uprez/contracts/policy/plans/plan-versions';
import type { Inspection } from '@uprez/contracts/schemas/image-pipeline';
import type { MessageFromChild } from '@uprez/contracts/schemas/jobs/child-messages';
import { formatWait } from '@uprez/contracts/texts/format';
import { type InspectionCaller, isVisitorKey } from '@uprez/domain/intake/prepare-upload';
import { makeFairQueue } from '@uprez/domain/make-fair-queue';
import { reportLimit } from '@uprez/domain/report-limit';
import type { Jail } from '@uprez/runtime/jail';
import type { Logger } from '@uprez/runtime/open-logger';
import { type Metrics, registerChildMetrics } from '@uprez/runtime/open-metrics';
import { type KeptChild, keepPixelChild, type PixelChild } from '@uprez/runtime/open-pixel-child';
import { withTimeout } from '@uprez/runtime/run-checks';
import { withSpan } from '@uprez/tracing/spans';

const childModule = createRequire(import.meta.url).resolve('@uprez/imaging/inspect/child');
const readyTimeoutMs = 20_000;
const restartDelayMs = 2_000;
const halfLifeMs = 60_000;
/** Seconds to wait before retrying when too many images are waiting. */
const retryAfterS = 5;
const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 5];

type StoredImage = { key: string; sizeBytes: number };
export type Inspector = {
  /**
   * Inspects the header of a stored image in a jailed child, which reads only the ranges that it needs. Runs up to four
   * inspections at a time: up to two per caller, and one for all visitors. The next image comes from the caller that
   * recently used the least time. The child can use up to 2 s of CPU time per image.
   *
   * Throws the following errors:
   * - The error code that the child reports.
   * - `corrupt_image` if the child crashed or used too much CPU time.
   * - `service_unavailable` if no child is available, or if the child got too little CPU time.
   * - `rate_limited` if too many of the caller's images are waiting.
   * - The signal's reason if the signal aborted before the image's turn.
   * - Errors from storage.
   */
  inspect: (image: StoredImage, caller: InspectionCaller, signal?: AbortSignal) => Promise<Inspection>;
  /**
   * Throws `rate_limited` if too many of the caller's images are waiting for inspection. Call it before receiving an
   * image.
   */
  requireRoom: (caller: InspectionCaller) => void;
  waiting: () => number;
  /** Starts a child in advance. The first image then doesn't have to wait, and a failing jail is logged at startup. */
  warmUp: () => void;
  close: () => Promise<void>;
};
type RangeReader = {
  get: (key: string, options: { range: { start: number; end: number } }) => Promise<{ stream: Readable }>;
};
type InspectorOptions = {
  jail: Jail;
  logger: Logger;
  storage: RangeReader;
  metrics: Metrics;
  /** Factor by which the number of images that can wait is multiplied. */
  rateLimitScale: number;
};

/** Opens the inspection children of a gateway. A child that exits is replaced and counted. */
export function openInspector({ storage, metrics, rateLimitScale, ...options }: InspectorOptions): Inspector {
  const children = openChildren(options, metrics);
  const { observe, watchQueue } = countInspections(metrics);
  const queue = makeFairQueue({
    slots: limits.inspectionSlots,
    group: { includes: isVisitorKey, slots: limits.visitorInspectionSlots, slotsEach: limits.visitorInspectionSlots },
    halfLifeMs,
    onWait: () => reportLimit('inspection_slots'),
  });
  watchQueue(queue.countWaiting);
  const requireRoom = ({ key, plan }: InspectionCaller) => {
    const most = maxWaitingOf(plan) * rateLimitScale;
    if (queue.countWaitingOf(key) >= most) throw tooManyWaitingError(most);
  };
  const inspectStored = async ({ key, sizeBytes }: StoredImage) => {
    const child = children.take();
    const read = async (from: number, length: number) =>
      (await storage.get(key, { range: { start: from, end: from + length - 1 } })).stream;
    return inspectInChild(child, { sizeBytes, read, readyMs: readyTimeoutMs }).finally(() => children.giveBack(child));
  };
  return {
    inspect: async (image, caller, signal) => {
      requireRoom(caller);
      const inspectNow = async () => {
        signal?.throwIfAborted();
        return observe(() => inspectStored(image));
      };
      return withSpan('inspect', { facts: { 'uprez.bytes': image.sizeBytes } }, () =>
        queue.run(caller.key, inspectNow),
      );
    },
    requireRoom,
    waiting: queue.countWaiting,
    warmUp: children.warmUp,
    close: children.close,
  };
}

/**
 * Returns how many images of a caller can wait. On a paid plan, a program that stays within its rate limit can send all
 * of its images at once.
 */
const maxWaitingOf = ({ price, callsPerMinute }: Plan) => (price === 0 ? limits.waitingInspections : callsPerMinute);

function tooManyWaitingError(limit: number): AppError {
  const detail = `Too many of your images are waiting to be inspected. Try again ${formatWait(retryAfterS)}.`;
  return new AppError('rate_limited', { detail, meta: { limit, retryAfterS }, limitName: 'waiting_inspections' });
}

/**
 * Registers the inspection metrics. `observe` records the duration of an inspection, in seconds, by its outcome:
 * `inspected`, or the error code.
 */
function countInspections(metrics: Metrics) {
  const durations = metrics.histogram({
    name: 'inspection_duration_seconds',
    help: 'Time of inspections of image headers without waiting, by outcome.',
    labels: ['outcome'],
    buckets,
  });
  return {
    observe: async (inspect: () => Promise<Inspection>): Promise<Inspection> => {
      const start = performance.now();
      const end = (outcome: string) => durations.observe({ outcome }, (performance.now() - start) / 1_000);
      try {
        const inspection = await inspect();
        end('inspected');
        return inspection;
      } catch (error) {
        end(error instanceof AppError ? error.code : 'internal');
        throw error;
      }
    },
    watchQueue: (countWaiting: () => number) => {
      const help = 'Images that wait for the inspection of their headers.';
      metrics.gauge({ name: 'inspections_waiting', help, labels: [] }, () => [{ labels: {}, value: countWaiting() }]);
    },
  };
}

/** Each child takes about 75 MB of memory, and starts when it's first needed. */
function openChildren({ jail, logger }: Pick<InspectorOptions, 'jail' | 'logger'>, metrics: Metrics) {
  const exits = registerChildMetrics(metrics, 'inspection');
  const openChild = () =>
    keepPixelChild({
      jail,
      module: childModule,
      options: () => ({}),
      memoryBytes: limits.inspectionMemoryBytes,
      fileBytes: limits.inspectionFileBytes,
      readyMs: readyTimeoutMs,
      onLog: (line) => logger.warn({ line }, 'inspection child wrote to stderr'),
      onExit: (reason) => exits.add(reason),
      onStartFailed: (error) => logger.error({ err: error }, 'inspection child failed to start'),
    });
  const children: KeptChild[] = [];
  const idle: KeptChild[] = [];
  const openNext = () => {
    const child = openChild();
    children.push(child);
    return child;
  };
  return {
    warmUp: () => void idle.push(openNext()),
    take: (): KeptChild => idle.pop() ?? openNext(),
    /** If a child was killed, waits for its restart, because the next caller would otherwise have to wait. */
    giveBack: async (child: KeptChild) => {
      if (!child.current())
        await withTimeout(restartDelayMs, child.get(), () => new Error('late')).catch(() => undefined);
      idle.push(child);
    },
    close: async () => {
      await Promise.all(children.map((child) => child.close()));
    },
  };
}

/** A child that reads more often than any file needs is killed. */
const maxReads = 64;

const limitOfExit: Partial<Record<ErrorCode, LimitName>> = {
  processing_timeout: 'inspection_time',
  processing_memory: 'inspection_memory',
};

type ReadRange = (from: number, length: number) => Promise<Readable>;
type Options = { sizeBytes: number; read: ReadRange; readyMs: number };

/** Kills the child if it exceeds a limit. */
async function inspectInChild(child: KeptChild, { sizeBytes, read, readyMs }: Options): Promise<Inspection> {
  const open = await withTimeout(readyMs, child.get(), () => new AppError('service_unavailable'));
  const nextMessage = () => new Promise<MessageFromChild>((resolve) => child.listen(resolve));
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

/** `corrupt_image`, or `service_unavailable` if the child got too little CPU time. */
const errorOfExit = (reason: ErrorCode, work: WorkLimit) =>
  work.isStarved()
    ? new AppError('service_unavailable', { cause: new Error('an inspection got too little CPU time') })
    : new AppError('corrupt_image', { cause: reason, limitName: limitOfExit[reason] });

/**
 * Sends a range of the file to a child. If the range can't be read, throws the error and kills the child, because no
 * message can report the error to the child.
 */
async function feed(open: PixelChild, work: WorkLimit, read: () => Promise<Readable>): Promise<void> {
  try {
    for await (const chunk of await read()) {
      if (open.bytes.write(chunk)) continue;
      // If the child dies, its pipe breaks, possibly before its exit is known.
      await work.during(once(open.bytes, 'drain').catch(() => open.exited));
      if (!open.bytes.writable) return;
    }
  } catch (error) {
    open.kill('processing_crashed');
    throw error;
  }
}

type WorkLimit = ReturnType<typeof limitWork>;
type Limits = { cpuMs: number; waitMs: number };

/**
 * Limits the CPU time that a child uses from this call on, and the time to wait for the child. A limit on elapsed time
 * alone would blame images for a busy machine.
 */
export function limitWork(open: Pick<PixelChild, 'cpuMs' | 'kill' | 'onExit'>, { cpuMs, waitMs }: Limits) {
  const usedBefore = open.cpuMs();
  let waitedMs = 0;
  let starved = false;
  return {
    /**
     * Waits for a promise or for the child's exit. Returns the reason if the child exits. Kills the child when it
     * reaches a limit.
     */
    during: async <T>(something: Promise<T>): Promise<T | ErrorCode> => {
      const start = performance.now();
      const check = () => {
        const usedMs = open.cpuMs() - usedBefore;
        const leftMs = waitMs - waitedMs - (performance.now() - start);
        if (usedMs < cpuMs && leftMs > 0) return arm(usedMs, leftMs);
        starved = usedMs < cpuMs;
        open.kill('processing_timeout');
      };
      // The earliest time at which a child with one busy thread can reach a limit.
      const arm = (usedMs: number, leftMs: number) => {
        timer = setTimeout(check, Math.ceil(Math.min(cpuMs - usedMs, leftMs)));
      };
      let timer: NodeJS.Timeout | undefined;
      let forgetExit = () => {};
      const exited = new Promise<ErrorCode>((resolve) => {
        forgetExit = open.onExit(resolve);
      });
      check();
      try {
        return await Promise.race([something, exited]);
      } finally {
        clearTimeout(timer);
        forgetExit();
        waitedMs += performance.now() - start;
      }
    },
    /** Whether the child was killed because the wait ended before it had reached its CPU limit. */
    isStarved: () => starved,
  };
}
