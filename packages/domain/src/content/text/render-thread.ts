import os from 'node:os';
import { parentPort } from 'node:worker_threads';
import type { LibraryFiles } from '@uprez/markup/describe-problem';
import { findFileProblem, MarkupError } from '@uprez/markup/parse';
import { renderMarkdown } from '@uprez/markup/render';

/** `files`: the files that the text may refer to. `onlyFiles`: whether to check the files without rendering. */
export type RenderTask = { id: number; text: string; files: LibraryFiles; onlyFiles?: boolean };
/** `problem`: why the text can't be published. `error`: an unexpected error. */
export type RenderResult = { id: number } & (
  | { html: string; words: number }
  | { isValid: true }
  | { problem: { message: string; line: number } }
  | { error: string }
);

/**
 * Lowers the thread's priority, because requests come first. Not the lowest priority, because then a text couldn't be
 * rendered within its time limit while an engine is running.
 */
const niceness = 5;

// Affects only this thread, because on Linux, each thread has its own priority.
os.setPriority(niceness);
parentPort?.on('message', ({ id, ...task }: RenderTask) => {
  parentPort?.postMessage({ id, ...run(task) } satisfies RenderResult);
});

function run({ text, files, onlyFiles }: Omit<RenderTask, 'id'>) {
  try {
    if (!onlyFiles) return renderMarkdown(text, { files });
    const problem = findFileProblem(text, files);
    return problem ? { problem } : { isValid: true as const };
  } catch (error) {
    if (!(error instanceof MarkupError)) return { error: String(error) };
    return { problem: { message: error.message, line: error.line } };
  }
}
