import { basename } from 'node:path';
import { joinOutput, showPath } from '../buckets/s3-url.ts';
import type { CliContext } from '../config.ts';
import type { Item } from '../files/plan-items.ts';
import type { Common } from '../parse-arguments.ts';
import type { Outcome, Reporter, Summary } from '../processing/run-items.ts';
import { formatBytes, formatCount, formatCredits, formatSize } from './format.ts';

/** Returns how a run is reported: as JSON or lines, with a progress bar on a terminal. `folder`: the output folder or S3 URL. */
export function chooseReporter(context: CliContext, { json, quiet }: Common, folder: string): Reporter {
  if (json) return reportJson(context.out, folder);
  const lines = reportLines(context, folder, quiet);
  return context.terminal && !quiet ? withProgressBar(lines, context.terminal) : lines;
}

const withoutProgress = { begin: () => undefined, progress: () => undefined };

const reportJson = (out: CliContext['out'], folder: string): Reporter => {
  const write = (line: object) => out(`${JSON.stringify(line)}\n`);
  return {
    ...withoutProgress,
    finish: ({ path: source }, { kind: event, ...facts }) =>
      write({ event, source, ...facts, ...('output' in facts && { output: joinOutput(folder, facts.output) }) }),
    end: (summary) => write({ event: 'summary', ...summary }),
  };
};

const reportLines = ({ out, err }: CliContext, folder: string, quiet: boolean): Reporter => ({
  ...withoutProgress,
  finish: ({ path }, outcome) => {
    const name = showPath(path);
    if (outcome.kind === 'failed') err(`${name}: ${outcome.message} (${outcome.code})\n`);
    else if (!quiet) out(`${name} -> ${describe(folder, outcome)}\n`);
  },
  end: (summary) => {
    if (!quiet) err(`${describeSummary(summary)}\n`);
  },
});

function describe(folder: string, outcome: Exclude<Outcome, { kind: 'failed' }>): string {
  const target = showPath(joinOutput(folder, outcome.output));
  if (outcome.kind === 'skipped') return `${target} (already done)`;
  const { bytes, cached, notes } = outcome;
  const facts = `${formatSize(outcome)}, ${formatBytes(bytes)}${cached ? ', cached' : ''}`;
  return [`${target} (${facts})`, ...notes].join('\n    ');
}

export function describeSummary({ done, skipped, failed, left, charged }: Summary): string {
  const parts = [
    `${formatCount(done)} done`,
    ...(skipped > 0 ? [`${formatCount(skipped)} already done`] : []),
    ...(failed > 0 ? [`${formatCount(failed)} failed`] : []),
    ...(left > 0 ? [`${formatCount(left)} left`] : []),
  ];
  return `${parts.join(', ')}; ${formatCredits(charged)} charged.`;
}

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
export function withProgressBar(inner: Reporter, terminal: NonNullable<CliContext['terminal']>): Reporter {
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
