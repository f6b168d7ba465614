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

/** Increment when the same Markdown renders to different HTML, apart from the values of placeholders. */
const rendererRevision = 1;
/** Identifies the renderer and the placeholder values that produced HTML. Stored with the HTML. Any 32-bit integer. */
export const rendererVersion: number = createHash('sha256')
  .update(JSON.stringify([rendererRevision, ...placeholderValues]))
  .digest()
  .readInt32BE();

/** The built file, because a worker thread gets no TypeScript loader. */
const file = createRequire(import.meta.url).resolve('@uprez/domain/content/text/render-thread');
/** Time limit for one text, milliseconds. 100 kB of ordinary text take 2 s. */
const renderTimeoutMs = 10_000;
/** Memory limit of the thread, MB. */
const memoryMb = 256;

export type RenderedText = { html: string; readingMinutes: number };

let thread: Worker | undefined;
let lastId = 0;
/** Renders one text at a time, because rendering occupies a CPU core. */
const renderLimit = pLimit(1);

/**
 * Renders a Markdown text in a worker thread, because it can take seconds and would block all other requests. `files`:
 * the media library files that the text may refer to. Throws `markup_invalid` with the line for a text that can't be
 * published, and for a text that takes too long.
 */
export async function renderText(text: string, files: LibraryFiles, limitMs = renderTimeoutMs): Promise<RenderedText> {
  const done = await runInTurn({ text, files }, limitMs);
  if ('html' in done) return { html: done.html, readingMinutes: readingMinutesOf(done.words) };
  throw new Error('the rendering thread returned no text');
}

/**
 * Throws `markup_invalid` for a text that refers to media library files other than `files`. Drafts may contain other
 * errors.
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
  // Without this process's options, which may name TypeScript files.
  const opened = new Worker(file, { execArgv: [], resourceLimits: { maxOldGenerationSizeMb: memoryMb } });
  const forget = () => {
    if (thread === opened) thread = undefined;
  };
  // A running task rejects through its own listener.
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
      // Lets the process end while the thread is idle.
      if (stops) void worker.terminate();
      else worker.unref();
      settle();
    };
    worker.once('message', receive).once('error', fail).once('exit', exit);
    worker.postMessage(task);
  });
}
