import type { LimitName } from '../../policy/limit-names.ts';
import { accountLimits, webhookLimits } from './account-limits.ts';
import { connectionLimits } from './connection-limits.ts';
import { decoderCosts, measuredOn } from './decoder-costs.ts';
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
are the most expensive valid files of at most 50 MB that were found. The goal is CPU time of at most ${cpuGoal} times the estimate. The
frames of a JPEG XL can't be counted without decoding them, so they exceed it, up to the limit of CPU time. Measured with
\`npm run bench:bombs\` on ${measuredOn}.

${line('File', 'Size', 'Estimate', 'CPU time')}
${line('---', '---', '---', '---')}
${decoderCosts.map(costRow).join('\n')}

## Connections
Everything that a request opens is released when its connection ends. \`http_connections\` counts open connections,
\`inspections_waiting\` images that wait for inspection, and \`inspection_duration_seconds\` the time of inspections by
outcome.
`;
