import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const docsDir = fileURLToPath(new URL('../../../docs', import.meta.url));

/** Returns the `p` quantile of the values, with `p` from 0 to 1. Defaults to the median. */
export function percentile(values: readonly number[], p = 0.5): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(p * sorted.length))] ?? Number.NaN;
}

export function describeMachine(): string {
  const gigabytes = Math.round(os.totalmem() / 2 ** 30);
  return `${os.cpus()[0]?.model.trim()}, ${os.availableParallelism()} cores, ${gigabytes} GB, Node.js ${process.versions.node}`;
}

export type Rows = Record<string, Record<string, string | number>>;
/** A measured value and its goal. `median`: set if `value` is another percentile. */
export type Figure = {
  value: number | string;
  unit?: string;
  median?: number;
  atMost?: number;
  atLeast?: number;
};
export type Figures = Record<string, Figure>;

/** Returns the named sections of a benchmark or, without names, all except `onlyNamed`. Throws on an unknown name. */
export function chooseSections<T>(
  sections: Record<string, T>,
  names: readonly string[],
  onlyNamed: string[] = [],
): T[] {
  const unknown = names.filter((name) => !Object.hasOwn(sections, name));
  if (unknown.length > 0)
    throw new Error(`no section ${unknown.join(', ')}; there are ${Object.keys(sections).join(', ')}`);
  return Object.entries(sections)
    .filter(([name]) => (names.length > 0 ? names.includes(name) : !onlyNamed.includes(name)))
    .map(([, section]) => section);
}

/** Returns figures as table rows. Each row contains the goal and whether the figure meets it. */
export function compareGoals(figures: Figures): Rows {
  const toRow = ({ value, unit = '', median, atMost, atLeast }: Figure) => {
    const withUnit = (cell: string | number) =>
      typeof cell === 'number' && !Number.isFinite(cell)
        ? 'not measured'
        : `${formatCell(cell)}${unit === '%' ? '' : ' '}${unit}`.trim();
    const measured =
      withUnit(value) + (median === undefined || !Number.isFinite(median) ? '' : ` (median: ${withUnit(median)})`);
    if (atMost === undefined && atLeast === undefined) return { measured, goal: '', result: '' };
    const isMet = Number(value) <= (atMost ?? Infinity) && Number(value) >= (atLeast ?? -Infinity);
    const goal = atMost === undefined ? `at least ${withUnit(atLeast ?? '')}` : `at most ${withUnit(atMost)}`;
    return { measured, goal, result: isMet ? 'met' : 'missed' };
  };
  return Object.fromEntries(Object.entries(figures).map(([name, figure]) => [name, toRow(figure)]));
}

export function printTable(title: string, rows: Rows): void {
  console.log(title);
  console.table(rows);
}

/**
 * Prints the results of a benchmark. With the argument `--save`, also writes them to the benchmark's page in `docs`.
 * Throws instead of saving if the benchmark had errors. `name`: the command after `npm run bench:`, without ` --`.
 */
export function reportResults(name: string, rows: Rows): void {
  const [script, ...options] = name.split(' ');
  const command = `npm run bench:${[script, ...(options.length > 0 ? ['--', ...options] : [])].join(' ')}`;
  const date = new Date().toISOString().slice(0, 10);
  printTable(`${command}, ${describeMachine()}`, rows);
  if (!process.argv.includes('--save')) return;
  if (process.exitCode) throw new Error('The results were not saved, because the bench had errors.');
  saveBlock(docsDir, name, `\`${command}\` on ${date}: ${describeMachine()}.\n\n${formatTable(rows)}`);
}

/**
 * Replaces the text between a benchmark's markers. Searches the pages in `folder` for the markers. Throws if no page
 * contains them.
 */
export function saveBlock(folder: string, name: string, text: string): void {
  const [begin, end] = [`<!-- bench:${name} -->\n`, `<!-- /bench:${name} -->`];
  for (const file of readdirSync(folder).filter((entry) => entry.endsWith('.md'))) {
    const page = readFileSync(path.join(folder, file), 'utf8');
    const from = page.indexOf(begin) + begin.length;
    const to = page.indexOf(end, from);
    if (!page.includes(begin) || to < 0) continue;
    writeFileSync(path.join(folder, file), `${page.slice(0, from)}${text}\n${page.slice(to)}`);
    return;
  }
  throw new Error(
    `No page in ${folder} has ${begin.trim()} and ${end}. Add both lines to the page that shows these results, or leave out --save.`,
  );
}

export function formatTable(rows: Rows): string {
  const columns = [...new Set(Object.values(rows).flatMap((row) => Object.keys(row)))];
  const line = (cells: readonly (string | number)[]) =>
    `| ${cells.map((cell) => formatCell(cell).replaceAll('|', '\\|')).join(' | ')} |`;
  return [
    line(['', ...columns]),
    `|${'---|'.repeat(columns.length + 1)}`,
    ...Object.entries(rows).map(([name, row]) => line([name, ...columns.map((column) => row[column] ?? '')])),
  ]
    .map((row) => row.replaceAll(/ {2,}/g, ' '))
    .join('\n');
}

function formatCell(cell: string | number): string {
  if (typeof cell === 'string') return cell;
  return (Math.abs(cell) < 100 ? Number(cell.toPrecision(3)) : Math.round(cell)).toLocaleString('en');
}
