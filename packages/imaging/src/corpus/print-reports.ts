import { type FileReport, verdicts } from './file-report.ts';
import { summarize } from './summarize.ts';

const megabytes = (bytes: number) => `${Math.round(bytes / 1_024 / 1_024)} MB`;
const milliseconds = (ms: number) => `${Math.round(ms)} ms`;

/** What became of a file, in a few words. */
function tell({ verdict, inspection, receipt, code, sentence, fault }: FileReport): string {
  const from = inspection && `${inspection.format} ${inspection.width} x ${inspection.height}`;
  if (verdict === 'accepted') return `${from} -> ${receipt?.format} ${receipt?.width} x ${receipt?.height}`;
  return [from, fault, code, sentence].filter(Boolean).join(' · ');
}

/** The reports as a table, by verdict and then by name: those that crashed come last, above the summary. */
export function printReports(reports: readonly FileReport[]): string {
  const sorted = verdicts.flatMap((verdict) => reports.filter((report) => report.verdict === verdict));
  const rows = sorted.map((report) => [
    report.verdict,
    report.file,
    milliseconds(report.ms),
    megabytes(report.peakBytes),
    tell(report),
  ]);
  const widths = [0, 1, 2, 3].map((column) => Math.max(0, ...rows.map((row) => row[column]?.length ?? 0)));
  const pad = (text: string, column: number) => {
    const width = widths[column] ?? 0;
    return column === 2 || column === 3 ? text.padStart(width) : text.padEnd(width);
  };
  return rows.map((row) => row.map(pad).join('  ')).join('\n');
}

/** The summary, one fact a line. */
export function printSummary(reports: readonly FileReport[]): string {
  const { files, verdicts: counts, refusedBy, slowest, largest } = summarize(reports);
  const codes = Object.entries(refusedBy).map(([code, count]) => `${count} ${code}`);
  return [
    `${files} files: ${verdicts.map((verdict) => `${counts[verdict]} ${verdict}`).join(', ')}`,
    ...(codes.length > 0 ? [`refused: ${codes.join(', ')}`] : []),
    ...(slowest ? [`slowest: ${slowest.file}, ${milliseconds(slowest.ms)}`] : []),
    ...(largest ? [`largest peak: ${largest.file}, ${megabytes(largest.peakBytes)}`] : []),
  ].join('\n');
}
