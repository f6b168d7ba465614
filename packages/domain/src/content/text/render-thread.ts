import os from 'node:os';
import { parentPort } from 'node:worker_threads';
import type { LibraryFiles } from '@uprez/markup/library-files';
import { findFileProblem, MarkupError } from '@uprez/markup/parse';
import { renderMarkdown } from '@uprez/markup/render';

/** `files`: those that the text may refer to. `onlyFiles`: checks them, and renders nothing. */
export type RenderTask = { id: number; text: string; files: LibraryFiles; onlyFiles?: boolean };
/** `problem`: why the text can't be published. `error`: a bug. */
export type RenderDone = { id: number } & (
  | { html: string; words: number }
  | { isValid: true }
  | { problem: { message: string; line: number } }
  | { error: string }
);

/** Requests go ahead. At the lowest priority a text would not be rendered within its time limit beside an engine. */
const niceness = 5;

// Linux threads have their own priority.
os.setPriority(niceness);
parentPort?.on('message', ({ id, ...task }: RenderTask) => {
  parentPort?.postMessage({ id, ...run(task) } satisfies RenderDone);
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
