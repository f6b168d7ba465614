import type { Actor } from '@uprez/domain/actor';
import { makeJob } from '@uprez/testing/make-job';
import type { TestContext } from '@uprez/testing/open-test-context';
import { type RawBuilder, sql } from 'kysely';

export type Past = {
  finishedAt: RawBuilder<Date>;
  ms?: number;
  /** Time in the queue. */
  waitMs?: number;
  surface?: 'web' | 'api';
  outcome?: 'completed' | 'expired' | 'failed' | 'cancelled';
  kind?: 'image' | 'preview';
  engine?: string;
};

const errors = { failed: 'processing_crashed', cancelled: 'cancelled' } as const;

/** Creates a job without files that finished at this time. Returns its ID. */
export async function makePastJob(ctx: TestContext, actor: Actor, past: Past): Promise<string> {
  const { finishedAt, ms = 1_000, waitMs = 0, surface = 'web', outcome = 'completed', kind = 'image', engine } = past;
  const { job } = await makeJob(ctx, actor);
  await ctx.db
    .updateTable('jobs')
    .set({
      status: outcome,
      errorCode: outcome === 'failed' || outcome === 'cancelled' ? errors[outcome] : null,
      surface,
      kind,
      startedAt: sql<Date>`${finishedAt} - make_interval(secs => ${ms / 1_000}::double precision)`,
      createdAt: sql<Date>`${finishedAt} - make_interval(secs => ${(ms + waitMs) / 1_000}::double precision)`,
      finishedAt: finishedAt,
      ...(engine && { plan: JSON.stringify({ ...job.plan, engine }) }),
    })
    .where('id', '=', job.id)
    .execute();
  return job.id;
}
