import { isAiEngine } from '@uprez/contracts/policy/engines';
import type { JobMeter } from '@uprez/contracts/policy/meters';
import type { ImagePlan } from '@uprez/contracts/schemas/image-plan';
import type { Tx } from '@uprez/db/database';
import { reserveUnits } from './reserve-units.ts';

/** On what a job is counted: whether it runs a network. */
export const meterOf = ({ engine }: Pick<ImagePlan, 'engine'>): JobMeter => (isAiEngine(engine) ? 'ai' : 'standard');

/** Take the one unit of a new job. Throws what `reserveUnits` throws. */
export async function reserveUnit(
  tx: Tx,
  job: { id: string; accountId: string; plan: ImagePlan; keyId?: string | null },
): Promise<void> {
  const { id, accountId, plan, keyId } = job;
  const { width, height } = plan.output;
  const reason = `Reserved for one image of ${width} x ${height} pixels with ${plan.engine}`;
  await reserveUnits(tx, { accountId, keyId, jobs: [{ id, meter: meterOf(plan), reason }] });
}
