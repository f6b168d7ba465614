import type { Receipt } from '@uprez/contracts/schemas/jobs/receipt';
import type { Claim } from '@uprez/domain/jobs/attempts/claim-next-job';
import { addSpan, endWith, startTrace } from '@uprez/tracing/spans';
import type { AttemptOutcome } from './deps.ts';

/** `startMs`: when the claim started, milliseconds since 1970. */
export type TracedClaim = { claim: Claim; startMs: number };

/**
 * Returns the time from a job's creation to the start of its attempt, by PostgreSQL's clock, because this machine's
 * clock may differ.
 */
export const waitedMs = ({ createdAt, startedAt }: Pick<Claim['job'], 'createdAt' | 'startedAt'>): number =>
  Math.max(0, (startedAt ?? createdAt).getTime() - createdAt.getTime());

/** Runs an attempt as a span of the trace of the request that created the job. */
export async function traceAttempt(
  { claim: { job, plan }, startMs }: TracedClaim,
  run: () => Promise<AttemptOutcome>,
): Promise<AttemptOutcome> {
  const { source } = job.plan;
  const facts = {
    'uprez.job.id': job.id,
    'uprez.job.attempt': job.attempt,
    'uprez.job.waited_ms': waitedMs(job),
    'uprez.plan': plan,
    'uprez.engine': job.plan.engine,
    'uprez.bytes': job.sourceBytes,
    'uprez.pixels': source.width * source.height,
    ...(job.accountId && { 'uprez.account.id': job.accountId }),
  };
  const span = startTrace('job attempt', { parent: job.traceparent, kind: 'consumer', startMs, facts });
  const endMs = Date.now();
  return endWith(span, async () => {
    addSpan('claim', { startMs, endMs });
    const outcome = await run();
    span?.add({ 'uprez.outcome': outcome });
    return outcome;
  });
}

/**
 * Adds the stages of a run as consecutive spans that end now, because the child reports only durations and adds up
 * stages that alternate.
 */
export function addStageSpans({ stagesMs, engine, width, height }: Receipt): void {
  const stages = Object.entries(stagesMs);
  const endMs = Date.now();
  let startMs = endMs - stages.reduce((sum, [, ms]) => sum + ms, 0);
  for (const [name, ms] of stages) {
    addSpan(`stage ${name}`, {
      startMs,
      endMs: startMs + ms,
      facts: { 'uprez.engine': engine, 'uprez.pixels': width * height },
    });
    startMs += ms;
  }
}
