import { describeAutoChoice } from '@uprez/contracts/policy/auto-choice';
import type { Receipt } from '@uprez/contracts/schemas/receipt';
import type { RowFile } from '../rows/row-file.ts';
import type { EngineJob } from '../stages.ts';
import { withEngine } from './make-verified-pixels.ts';
import { classifyContent, measureContent } from './measure-content.ts';

/** Settle what `auto` left open: the engine for the content of a decoded image. Returns the job, and why, for the receipt. */
export async function applyAuto(
  job: EngineJob,
  source: RowFile,
): Promise<{ job: EngineJob; choice: Receipt['autoChoice'] }> {
  const { auto, engine, output } = job.plan;
  if (!auto) return { job, choice: null };
  const { code, drawings } = auto;
  if (code !== 'content') return { job, choice: { code, reason: describeAutoChoice(code, engine) } };
  const kind = classifyContent(await measureContent(source, output.frames));
  const chosen = kind === 'drawing' && drawings && job.networks[drawings] ? drawings : engine;
  const plan = chosen === engine ? job.plan : withEngine(job.plan, chosen);
  return { job: { ...job, plan }, choice: { code: kind, reason: describeAutoChoice(kind, chosen) } };
}
