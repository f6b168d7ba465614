import type { PullProgress } from './install-model.ts';

/** Where progress goes: a terminal is redrawn in place, anything else gets plain lines. */
type ProgressTarget = { isTTY?: boolean; write(text: string): unknown };

const barWidth = 30;
const plainStep = 25;
const megabytes = (bytes: number) => (bytes / 1e6).toFixed(1);

/**
 * A printer of one pull's progress: a bar with bytes and percent on a terminal; elsewhere a line at each quarter of
 * the download and at each stage.
 */
export function progressPrinter(label: string, target: ProgressTarget): (progress: PullProgress) => void {
  let shown = '';
  return (progress) => {
    const text = target.isTTY ? drawing(label, progress) : line(label, progress);
    if (text === shown) return;
    const leavesBar = target.isTTY && progress.stage === 'convert' && shown !== '';
    shown = text;
    target.write(leavesBar ? `\n${text}` : text);
  };
}

const shareOf = ({ doneBytes, totalBytes }: { doneBytes: number; totalBytes: number }) =>
  Math.min(1, doneBytes / totalBytes);

function line(label: string, progress: PullProgress): string {
  if (progress.stage === 'convert') return `${label}: converting\n`;
  const percent = Math.floor((shareOf(progress) * 100) / plainStep) * plainStep;
  return `${label}: ${percent} % of ${megabytes(progress.totalBytes)} MB\n`;
}

function drawing(label: string, progress: PullProgress): string {
  if (progress.stage === 'convert') return line(label, progress);
  const share = shareOf(progress);
  const bar = '#'.repeat(Math.round(share * barWidth)).padEnd(barWidth, '.');
  const amount = `${megabytes(progress.doneBytes)} of ${megabytes(progress.totalBytes)} MB`;
  return `\r${label} [${bar}] ${amount}, ${Math.floor(share * 100)} %`;
}
