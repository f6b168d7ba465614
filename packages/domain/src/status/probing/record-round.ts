import type { ProbeState, StatusService } from '@uprez/contracts/policy/status';
import { insertProbes } from '@uprez/db/queries/status/probes';
import type { Needs } from '../../context.ts';
import { settleIncidents } from '../incidents/settle-incidents.ts';
import { rollUpProbes } from '../roll-up-probes.ts';
import { dateOf, secondsOf } from '../times.ts';

/** What a probe found. `ms`: the duration of a success. `detail`: why it wasn't one, for administrators. */
export type ProbeResult = { service: StatusService; state: ProbeState; ms: number | null; detail: string };

/** Stores the results of a round of probes, adds up the day, and opens or resolves incidents. `at`: now. */
export async function recordRound(
  ctx: Needs<'db'>,
  { at, results }: { at: Date; results: readonly ProbeResult[] },
): Promise<void> {
  const second = dateOf(secondsOf(at));
  await insertProbes(
    ctx.db,
    results.map((result) => ({ ...result, at: second })),
  );
  await settleIncidents(ctx, second);
  await rollUpProbes(ctx, second);
}
