import { join, relative } from 'node:path';
import type { Item } from '../files/plan-items.ts';
import type { Outcome, Reporter, Summary } from '../processing/outcome.ts';
import { formatBytes, formatCount, formatCredits, formatSize } from './format.ts';

/** `out`: stdout, for results. `err`: stderr, for everything else. */
export type Writers = { out: (text: string) => void; err: (text: string) => void };
type Style = { folder: string; quiet: boolean };

const name = ({ path }: Item) => relative('.', path);

export const reportLines = ({ out, err }: Writers, { folder, quiet }: Style): Reporter => ({
  begin: () => undefined,
  progress: () => undefined,
  finish: (item, outcome) => {
    if (outcome.kind === 'failed') err(`${name(item)}: ${outcome.message} (${outcome.code})\n`);
    else if (!quiet) out(`${name(item)} -> ${describe(folder, outcome)}\n`);
  },
  end: (summary) => {
    if (!quiet) err(`${describeSummary(summary)}\n`);
  },
});

function describe(folder: string, outcome: Exclude<Outcome, { kind: 'failed' }>): string {
  const target = relative('.', join(folder, outcome.output));
  if (outcome.kind === 'skipped') return `${target} (already done)`;
  const { width, height, bytes, cached, notes } = outcome;
  const facts = `${formatSize({ width, height })}, ${formatBytes(bytes)}${cached ? ', cached' : ''}`;
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
