import { basename } from 'node:path';
import type { Item } from '../files/plan-items.ts';
import type { Reporter } from '../processing/outcome.ts';

const cells = 24;
const clear = '\r\x1b[K';

/** Formats a progress bar: `[####----] 12/40 b.jpg 40%`. */
export function formatBar(
  state: { settled: number; total: number; running: ReadonlyMap<Item, number> },
  columns: number,
) {
  const { settled, total, running } = state;
  const share = (settled + [...running.values()].reduce((sum, percent) => sum + percent / 100, 0)) / Math.max(1, total);
  const filled = Math.min(cells, Math.round(share * cells));
  const names = [...running].map(([{ path }, percent]) => `${basename(path)} ${Math.round(percent)}%`);
  const line = `[${'#'.repeat(filled)}${'-'.repeat(cells - filled)}] ${settled}/${total} ${names.join(' · ')}`;
  return line.slice(0, Math.max(0, columns - 1));
}

/** Adds a progress bar below the output of another reporter. */
export function withProgressBar(
  inner: Reporter,
  terminal: { write: (text: string) => unknown; columns: number },
): Reporter {
  const running = new Map<Item, number>();
  let settled = 0;
  let total = 0;
  const draw = () => terminal.write(clear + formatBar({ settled, total, running }, terminal.columns || 80));
  return {
    begin: (count) => {
      settled = 0;
      total = count;
      running.clear();
    },
    progress: (item, percent) => {
      running.set(item, percent);
      draw();
    },
    finish: (item, outcome) => {
      running.delete(item);
      settled += 1;
      terminal.write(clear);
      inner.finish(item, outcome);
      draw();
    },
    end: (summary) => {
      terminal.write(clear);
      inner.end(summary);
    },
  };
}
