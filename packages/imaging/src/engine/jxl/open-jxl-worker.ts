import { statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { AppError } from '@uprez/contracts/errors/app-error';
import type { FromJxlWorker, JxlWorkerData, ToJxlWorker } from './jxl-messages.ts';

const require = createRequire(import.meta.url);
/**
 * Returns the path of the built module, because threads run built files. `require` resolves to the built module even in
 * tests, where the test runner resolves packages to their sources.
 */
const resolveModulePath = () => require.resolve('@uprez/imaging/engine/jxl/jxl-worker');
const [readable, searchable] = [4, 1];
const endedThreadId = -1;

export function isJxlReadable(): boolean {
  const files = [resolveModulePath(), require.resolve('wasm-vips')];
  const isOpen = (path: string, bit: number) => (statSync(path).mode & bit) !== 0;
  const isReachable = (folder: string): boolean =>
    isOpen(folder, searchable) && (folder === dirname(folder) || isReachable(dirname(folder)));
  return files.every((file) => isOpen(file, readable) && isReachable(dirname(file)));
}

/**
 * An image of 1,024 x 1,024 gray pixels. Decoding it makes the library start its own threads, which it keeps. They must
 * start early, because their files may be unreadable later.
 */
const grayJxlBase64 =
  '/wr6HwFBcSEIAgEANAAAAIAACIAACIAACIAACIAACIAACIAACIAACABLKCTGRUHCDBQtGPAAAwADAAMAAwADAAMAAwADAAMAAwADAAMAAwADAAMAAwA=';

let spareWorker: Worker | undefined;

/**
 * Starts a thread that is reused for one file after another until it fails. Without this call, each file gets its own
 * thread, and the thread's memory is freed afterward.
 */
export async function keepJxlWorker(threads: number): Promise<void> {
  spareWorker = await startWorker(threads);
  const { ask, close } = await openJxlWorker(threads);
  await ask({ type: 'open', codestream: Buffer.from(grayJxlBase64, 'base64') }, 'opened');
  await ask({ type: 'read', count: 1_024, channels: 1 }, 'rows');
  await close();
}

async function startWorker(threads: number): Promise<Worker> {
  const options: JxlWorkerData = { threads };
  const worker = new Worker(resolveModulePath(), { workerData: options });
  worker.unref();
  await waitForMessage(worker);
  return worker;
}

/** Throws AppError `corrupt_image` if the thread reports a failure, and Error if the thread ends. */
function waitForMessage(worker: Worker): Promise<FromJxlWorker> {
  return new Promise((resolve, reject) => {
    const settle = (done: () => void) => {
      worker.off('message', onMessage).off('error', onError).off('exit', onExit);
      done();
    };
    const onMessage = (message: FromJxlWorker) =>
      settle(() => (message.type === 'failed' ? reject(new AppError('corrupt_image')) : resolve(message)));
    const onError = (error: unknown) => settle(() => reject(error));
    const onExit = () => onError(new Error('the thread ended'));
    worker.once('message', onMessage).once('error', onError).once('exit', onExit);
  });
}

/** Throws AppError `cancelled` if the signal aborts. */
async function waitWithSignal<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  let stop = () => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(new AppError('cancelled'));
    if (signal?.aborted) stop();
    signal?.addEventListener('abort', stop);
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal?.removeEventListener('abort', stop);
  }
}

export type JxlWorker = Awaited<ReturnType<typeof openJxlWorker>>;

/**
 * Opens a thread that decodes or encodes JPEG XL. `ask` sends a message and returns the reply. It throws AppError
 * `corrupt_image` or `cancelled`. `close` ends the thread, even while it's processing a file. A thread from
 * `keepJxlWorker` finishes its reply first and is kept.
 */
export async function openJxlWorker(threads: number, signal?: AbortSignal) {
  const kept = spareWorker;
  spareWorker = undefined;
  const worker = kept ?? (await startWorker(threads));
  let pending: Promise<unknown> = Promise.resolve();
  const ask = async <T extends FromJxlWorker['type']>(message: ToJxlWorker, type: T) => {
    const reply = waitForMessage(worker).catch((cause) => {
      // Reports any failure as a corrupt image, because only the file can make a running thread fail.
      throw cause instanceof AppError ? cause : new AppError('corrupt_image', { cause });
    });
    pending = reply.catch(() => undefined);
    worker.postMessage(message);
    const found = await waitWithSignal(reply, signal);
    if (found.type !== type) throw new Error(`the thread replied ${found.type}, expected ${type}`);
    return found as Extract<FromJxlWorker, { type: T }>;
  };
  const close = async () => {
    if (!kept) return void (await worker.terminate());
    await pending;
    if (worker.threadId === endedThreadId) return;
    worker.postMessage({ type: 'close' } satisfies ToJxlWorker);
    spareWorker = worker;
  };
  return { ask, close };
}
