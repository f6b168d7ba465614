import { parentPort } from 'node:worker_threads';
import { MarkupError } from '@uprez/markup/markup-error';
import { renderMarkdown } from '@uprez/markup/render';

export type RenderTask = { id: number; text: string };
/** `problem`: why the text can't be published. `error`: a bug. */
export type RenderDone = { id: number } & (
  | { html: string; words: number }
  | { problem: { message: string; line: number } }
  | { error: string }
);

// At normal priority: behind the engines, a text would not be rendered within its time limit.
parentPort?.on('message', ({ id, text }: RenderTask) => {
  parentPort?.postMessage({ id, ...render(text) } satisfies RenderDone);
});

function render(text: string) {
  try {
    return renderMarkdown(text);
  } catch (error) {
    if (!(error instanceof MarkupError)) return { error: String(error) };
    return { problem: { message: error.message, line: error.line } };
  }
}
