import type { ErrorCode } from '@uprez/contracts/errors/error-codes';
import type { ImagePipeline, Inspection } from '@uprez/contracts/schemas/image-pipeline';
import type { Receipt } from '@uprez/contracts/schemas/jobs/receipt';

const verdicts = ['accepted', 'refused', 'crashed'] as const;

/** The outcome of one file. Fields of steps that weren't reached are absent. */
export type FileReport = {
  file: string;
  sizeBytes: number;
  verdict: (typeof verdicts)[number];
  /** Why the file counts as a crash. */
  mismatch?: string;
  code?: ErrorCode;
  sentence?: string;
  inspection?: Inspection;
  pipeline?: ImagePipeline;
  receipt?: Receipt;
  /** Wall time of both children in milliseconds, and the higher of their peak resident memory values in bytes. */
  ms: number;
  peakBytes: number;
  log?: string;
};

/**
 * Counts the reports by verdict. Finds the slowest file and the file with the highest peak memory. `refusedBy`: number
 * of rejected files by error code.
 */
export function summarize(reports: readonly FileReport[]) {
  const count = (verdict: string) => reports.filter((report) => report.verdict === verdict).length;
  const refusedBy: Record<string, number> = {};
  for (const { verdict, code } of reports)
    if (verdict === 'refused' && code) refusedBy[code] = (refusedBy[code] ?? 0) + 1;
  const slowest = reports.toSorted((a, b) => b.ms - a.ms)[0];
  const largest = reports.toSorted((a, b) => b.peakBytes - a.peakBytes)[0];
  return {
    files: reports.length,
    verdicts: { accepted: count('accepted'), refused: count('refused'), crashed: count('crashed') },
    refusedBy: Object.fromEntries(Object.entries(refusedBy).toSorted(([, a], [, b]) => b - a)),
    ...(slowest && { slowest: { file: slowest.file, ms: slowest.ms } }),
    ...(largest && { largest: { file: largest.file, peakBytes: largest.peakBytes } }),
  };
}

const formatMegabytes = (bytes: number) => `${Math.round(bytes / 1_024 / 1_024)} MB`;
const formatMilliseconds = (ms: number) => `${Math.round(ms)} ms`;

function describeReport({ verdict, inspection, receipt, code, sentence, mismatch }: FileReport): string {
  const from = inspection && `${inspection.format} ${inspection.width} x ${inspection.height}`;
  if (verdict === 'accepted') return `${from} -> ${receipt?.format} ${receipt?.width} x ${receipt?.height}`;
  return [from, mismatch, code, sentence].filter(Boolean).join(' · ');
}

export function formatReports(reports: readonly FileReport[]): string {
  const sorted = verdicts.flatMap((verdict) => reports.filter((report) => report.verdict === verdict));
  const rows = sorted.map((report) => [
    ...[report.verdict, report.file, formatMilliseconds(report.ms), formatMegabytes(report.peakBytes)],
    describeReport(report),
  ]);
  const widths = [0, 1, 2, 3].map((column) => Math.max(0, ...rows.map((row) => row[column]?.length ?? 0)));
  const pad = (text: string, column: number) => {
    const width = widths[column] ?? 0;
    return column === 2 || column === 3 ? text.padStart(width) : text.padEnd(width);
  };
  return rows.map((row) => row.map(pad).join('  ')).join('\n');
}

export function formatSummary(reports: readonly FileReport[]): string {
  const { files, verdicts: counts, refusedBy, slowest, largest } = summarize(reports);
  const codes = Object.entries(refusedBy).map(([code, count]) => `${count} ${code}`);
  return [
    `${files} files: ${verdicts.map((verdict) => `${counts[verdict]} ${verdict}`).join(', ')}`,
    ...(codes.length > 0 ? [`refused: ${codes.join(', ')}`] : []),
    ...(slowest ? [`slowest: ${slowest.file}, ${formatMilliseconds(slowest.ms)}`] : []),
    ...(largest ? [`largest peak: ${largest.file}, ${formatMegabytes(largest.peakBytes)}`] : []),
  ].join('\n');
}
