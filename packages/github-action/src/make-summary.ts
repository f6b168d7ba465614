import type { Outcome, Row } from './run-images.ts';

type Facts = Outcome & { mode: 'process' | 'check'; maxUnits: number | undefined; problem: string | undefined };

/** The summary of a job is limited to 1 MiB. */
const longest = 500;
const count = (n: number) => n.toLocaleString('en-US');
const credits = (n: number) => `${count(n)} credit${n === 1 ? '' : 's'}`;
const size = ({ width, height }: { width?: number; height?: number }) =>
  width && height ? `${count(width)} x ${count(height)}` : '-';
/** Escapes what Markdown and HTML would read as their own. */
const escapeMarkdown = (text: string) =>
  text.replace(/[\\`*_{}[\]<>()#|~!&$@:]/g, (char) => `&#${char.charCodeAt(0)};`).replace(/\s/g, ' ');
const kilobytes = (bytes: number | null | undefined) => (bytes ? `${count(Math.ceil(bytes / 1_024))} KB` : '-');

/** Makes the summary of the job in Markdown. */
export function makeSummary({ rows, mode, maxUnits, stopped, problem }: Facts): string {
  const title = mode === 'check' ? '## Images to upscale' : '## Upscaled images';
  if (rows.length === 0) return `${title}\n\n${problem ? escapeMarkdown(problem) : 'No images changed.'}\n`;
  const shown = rows.slice(0, longest);
  const units = rows.reduce((sum, row) => sum + row.units, 0);
  const failed = rows.filter(({ reason }) => reason).length;
  const budget = maxUnits === undefined ? '' : ` Limit: ${credits(maxUnits)}.`;
  const verb = mode === 'check' ? 'would cost' : 'charged';
  const total = `**${count(rows.length)} images, ${credits(units)} ${verb}.**${budget}`;
  const table = [
    '| Image | Size | Result | File size | Credits | |',
    '|---|--:|--:|--:|--:|---|',
    ...shown.map(formatRow),
  ];
  const more = rows.length > shown.length ? `\n…and ${count(rows.length - shown.length)} more.\n` : '';
  const errors = [problem ?? stopped, failed > 0 && `${count(failed)} of the images failed or would be rejected.`];
  const list = errors
    .filter((text) => text !== undefined && text !== false)
    .map((text) => `- :x: ${escapeMarkdown(String(text))}`);
  return [title, '', total, '', ...table, more, ...list, ''].join('\n');
}

const formatRow = ({ source, output, reason, units, bytes, ...result }: Row) =>
  `| ${[
    escapeMarkdown(source),
    result.size ? size(result.size) : '-',
    size(result),
    kilobytes(bytes),
    count(units),
    escapeMarkdown(reason ?? output ?? ''),
  ].join(' | ')} |`;
