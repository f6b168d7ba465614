import { type FileReport, type Verdict, verdicts } from './file-report.ts';

export type Summary = {
  files: number;
  verdicts: Record<Verdict, number>;
  /** Refused files by code. */
  refusedBy: Record<string, number>;
  slowest?: { file: string; ms: number };
  largest?: { file: string; peakBytes: number };
};

/** Count reports. */
export function summarize(reports: readonly FileReport[]): Summary {
  const count = (verdict: Verdict) => reports.filter((report) => report.verdict === verdict).length;
  const refusedBy: Record<string, number> = {};
  for (const { verdict, code } of reports)
    if (verdict === 'refused' && code) refusedBy[code] = (refusedBy[code] ?? 0) + 1;
  const slowest = reports.toSorted((a, b) => b.ms - a.ms)[0];
  const largest = reports.toSorted((a, b) => b.peakBytes - a.peakBytes)[0];
  return {
    files: reports.length,
    verdicts: Object.fromEntries(verdicts.map((verdict) => [verdict, count(verdict)])) as Summary['verdicts'],
    refusedBy: Object.fromEntries(Object.entries(refusedBy).toSorted(([, a], [, b]) => b - a)),
    ...(slowest ? { slowest: { file: slowest.file, ms: slowest.ms } } : {}),
    ...(largest ? { largest: { file: largest.file, peakBytes: largest.peakBytes } } : {}),
  };
}
