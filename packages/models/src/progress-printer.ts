import type { PullProgress } from './pull-model.ts';

const barWidth = 30;
const plainStep = 25;
const megabytes = (bytes: number) => (bytes / 1e6).toFixed(1);

/**
 * Returns a function that prints the progress of a pull. On a terminal, it redraws a progress bar. Otherwise, it prints
 * a line per stage and per 25%.
 */
export function progressPrinter(
  label: string,
  target: { isTTY?: boolean; write(text: string): unknown },
): (progress: PullProgress) => void {
  let shown = '';
  return (progress) => {
    const text = format(label, progress, target.isTTY === true);
    if (text === shown) return;
    const leavesBar = target.isTTY && progress.stage === 'convert' && shown !== '';
    shown = text;
    target.write(leavesBar ? `\n${text}` : text);
  };
}

function format(label: string, progress: PullProgress, isTerminal: boolean): string {
  if (progress.stage === 'convert') return `${label}: converting\n`;
  const share = Math.min(1, progress.doneBytes / progress.totalBytes);
  const total = `of ${megabytes(progress.totalBytes)} MB`;
  if (!isTerminal) return `${label}: ${Math.floor((share * 100) / plainStep) * plainStep}% ${total}\n`;
  const bar = '#'.repeat(Math.round(share * barWidth)).padEnd(barWidth, '.');
  return `\r${label} [${bar}] ${megabytes(progress.doneBytes)} ${total}, ${Math.floor(share * 100)}%`;
}
