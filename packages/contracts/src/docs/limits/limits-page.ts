import type { LimitName } from '../../policy/limit-names.ts';
import { accountLimits, webhookLimits } from './account-limits.ts';
import { connectionLimits } from './connection-limits.ts';
import { jobLimits, queueRow } from './job-limits.ts';
import type { LimitRow } from './limit-row.ts';
import { requestLimits, requestNotes } from './request-limits.ts';
import { uploadLimits } from './upload-limits.ts';

/** Every limit that is counted. The type fails without a row for one of them. */
const allLimits: Record<LimitName, LimitRow> = {
  ...connectionLimits,
  ...requestLimits,
  ...uploadLimits,
  ...jobLimits,
  ...webhookLimits,
  ...accountLimits,
};

const line = (...cells: string[]) => `| ${cells.join(' | ')} |`;
const row = ({ what, limit, met, recovers }: LimitRow, metric: string) => line(what, limit, met, metric, recovers);

/** A file that takes a decoder long. Seconds of its estimate and of the CPU, see `npm run bench:bombs`. */
type DecoderCost = { file: string; megabytes: number; estimate: number; cpu: number };

/** Where the figures were measured. */
const measuredOn = 'two cores of an AMD EPYC (Zen 4) and 24 GB of memory, shared with other work';

/** The most expensive valid files of at most 50 MB that were found, of each format, and resized to 64 pixels. */
const decoderCosts: readonly DecoderCost[] = [
  { file: 'JPEG: 100 scans of 100 megapixels', megabytes: 2.75, estimate: 5.5, cpu: 4.9 },
  { file: 'JPEG: noise at the highest quality, progressive', megabytes: 36, estimate: 0.8, cpu: 1.6 },
  { file: 'PNG: 100 megapixels of 4 x 16 bits', megabytes: 0.8, estimate: 5.9, cpu: 10.6 },
  { file: 'PNG: 49 MB of compressed data without pixels', megabytes: 49, estimate: 3.8, cpu: 3.2 },
  { file: 'TIFF: 25 megapixels of Lab colors', megabytes: 0.29, estimate: 9.5, cpu: 10.2 },
  { file: 'TIFF: 100 tiles with the same 300 scans', megabytes: 0.01, estimate: 7.1, cpu: 2.1 },
  { file: 'TIFF: 100 rows with the same codes', megabytes: 1, estimate: 7.6, cpu: 6.3 },
  { file: 'WebP: noise at the highest quality', megabytes: 14.7, estimate: 0.6, cpu: 1.2 },
  { file: 'WebP: 49 frames of 1 megapixel', megabytes: 48, estimate: 1.7, cpu: 2.2 },
  { file: 'GIF: 1,000 frames of 0.05 megapixels', megabytes: 0.02, estimate: 3.3, cpu: 8.3 },
  { file: 'AVIF: 64 tiles of 4 megapixels, of which it shows a part', megabytes: 0.001, estimate: 33.7, cpu: 8.3 },
  { file: 'AVIF: noise without losses', megabytes: 9.6, estimate: 2.4, cpu: 2.3 },
  { file: 'HEIC: 1,936 tiles, of which it shows a pixel', megabytes: 0.01, estimate: 1.1, cpu: 1.3 },
  { file: 'JPEG XL: 100 frames, of which it shows the last', megabytes: 0.01, estimate: 7.9, cpu: 6.6 },
  { file: 'JPEG XL: noise without losses', megabytes: 7.3, estimate: 1, cpu: 1.6 },
];

const cpuGoal = 3;
const costRow = ({ file, megabytes, estimate, cpu }: (typeof decoderCosts)[number]) =>
  line(file, `${megabytes} MB`, `${estimate} s`, `${cpu} s`);

/** docs/reference/limits.md. */
export const limitsPage = `# Limits

Every limit that a client can meet. Numbers are in \`packages/contracts/src/policy/limits.ts\`,
\`packages/contracts/src/policy/plans.ts\`, and \`packages/contracts/src/policy/rate-limits.ts\`; names in capitals are
[settings](../settings.md). This page is generated from them (\`packages/contracts/src/docs/limits/limits-page.ts\`).

Each service counts the limits that its clients meet in \`limits_met_total\`, by the name in the column "Metric". Limits of
values, such as the length of a name, are in the reference of the API and are not counted. Nothing is charged at a limit,
except for jobs that are canceled late.

${line('What', 'Limit', 'At the limit', 'Metric', 'Recovers')}
${line('---', '---', '---', '---', '---')}
${Object.entries(allLimits)
  .map(([name, facts]) => row(facts, `\`${name}\``))
  .join('\n')}
${row(queueRow, queueRow.metric)}

${requestNotes}

## Decoding
The estimate of a job counts what its file makes the decoder do ([imaging.md](imaging.md#limits-of-header-inspection)). These
are the most expensive valid files of at most 50 MB that were found. The goal is CPU time of at most ${cpuGoal} times the estimate.
Measured with \`npm run bench:bombs\` on ${measuredOn}.

${line('File', 'Size', 'Estimate', 'CPU time')}
${line('---', '---', '---', '---')}
${decoderCosts.map(costRow).join('\n')}

## Connections
Everything that a request opens is released when its connection ends. \`http_connections\` counts open connections,
\`inspections_waiting\` images that wait for inspection, and \`inspection_duration_seconds\` the time of inspections by
outcome.
`;
