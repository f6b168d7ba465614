import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { AppError } from '@uprez/contracts/errors/app-error';
import { listMentionedMedia } from '@uprez/contracts/policy/images/media';
import type { LibraryFiles } from '@uprez/markup/describe-problem';
import { placeholderValues } from '@uprez/markup/placeholders';
import pLimit from 'p-limit';
import { readingMinutesOf } from './plain-text.ts';
import type { RenderResult, RenderTask } from './render-thread.ts';

/** Must be incremented when the same Markdown renders to different HTML, not counting changed placeholder values. */
const rendererRevision = 1;
/**
 * Hash of the renderer's revision and the placeholder values, as a signed 32-bit integer. Stored with the HTML that
 * they produced.
 */
export const rendererVersion: number = createHash('sha256')
  .update(JSON.stringify([rendererRevision, ...placeholderValues]))
  .digest()
  .readInt32BE();

/** The built file, because worker threads don't load TypeScript. */
const file = createRequire(import.meta.url).resolve('@uprez/domain/content/text/render-thread');
/** Rendering 100 kB of ordinary text takes 2 s. */
const renderTimeoutMs = 10_000;
const memoryMb = 256;

export type RenderedText = { html: string; readingMinutes: number };

let thread: Worker | undefined;
let lastId = 0;
/** One text at a time, because rendering occupies a CPU core. */
const renderLimit = pLimit(1);

/**
 * Renders Markdown in a worker thread, because rendering can take seconds and would block all other requests. `files`:
 * the media library files that the text may refer to. Throws `markup_invalid` if the text can't be published, with the
 * line of the error, or if rendering takes too long.
 */
export async function renderText(text: string, files: LibraryFiles, limitMs = renderTimeoutMs): Promise<RenderedText> {
  const done = await runInTurn({ text, files }, limitMs);
  if ('html' in done) return { html: done.html, readingMinutes: readingMinutesOf(done.words) };
  throw new Error('the rendering thread returned no text');
}

/**
 * Throws `markup_invalid` if the text refers to media library files other than `files`. Doesn't report other errors,
 * because drafts may contain them.
 */
export async function checkFiles(text: string, files: LibraryFiles): Promise<void> {
  if (listMentionedMedia(text).length > 0) await runInTurn({ text, files, onlyFiles: true }, renderTimeoutMs);
}

const runInTurn = (task: Omit<RenderTask, 'id'>, limitMs: number) =>
  renderLimit(async () => {
    const done = await runTask({ id: ++lastId, ...task }, limitMs);
    if ('error' in done) throw new Error(done.error);
    if (!('problem' in done)) return done;
    const { message: detail, line } = done.problem;
    throw new AppError('markup_invalid', { param: 'content', detail, meta: { line } });
  });

const renderTimeoutError = () =>
  new AppError('markup_invalid', {
    param: 'content',
    detail: 'This text takes too long to render. Shorten or simplify it.',
  });

function openThread(): Worker {
  // Doesn't inherit this process's `execArgv`, because it may name TypeScript files.
  const opened = new Worker(file, { execArgv: [], resourceLimits: { maxOldGenerationSizeMb: memoryMb } });
  const forget = () => {
    if (thread === opened) thread = undefined;
  };
  // Only forgets the thread. A running task has its own listeners, which reject it.
  opened.once('error', forget).once('exit', forget);
  return opened;
}

function runTask(task: RenderTask, limitMs: number): Promise<RenderResult> {
  thread ??= openThread();
  const worker = thread;
  worker.ref();
  return new Promise<RenderResult>((resolve, reject) => {
    const timer = setTimeout(() => end(() => reject(renderTimeoutError()), { stops: true }), limitMs);
    const receive = (done: RenderResult) => end(() => resolve(done));
    const fail = (error: Error & { code?: string }) =>
      end(() => reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? renderTimeoutError() : error));
    const exit = () => fail(new Error('the rendering thread ended'));
    const end = (settle: () => void, { stops = false } = {}) => {
      clearTimeout(timer);
      worker.off('message', receive).off('error', fail).off('exit', exit);
      if (stops) thread = undefined;
      // An idle thread must not keep the process from ending.
      if (stops) void worker.terminate();
      else worker.unref();
      settle();
    };
    worker.once('message', receive).once('error', fail).once('exit', exit);
    worker.postMessage(task);
  });
}
