import { isAiEngine } from '@uprez/contracts/policy/engines';
import { formatNames, type OutputFormat } from '@uprez/contracts/policy/image-formats';
import { may, type Refused } from '@uprez/contracts/policy/may';
import { plans, type Tier } from '@uprez/contracts/policy/plans';
import type { ImagePlan } from '@uprez/contracts/schemas/image-plan';
import type { Rejection } from './job-limits.ts';

type Planned = Pick<ImagePlan, 'engine' | 'output'>;

const hundredths = (n: number) => Math.round(n * 100) / 100;
const kindOf = ({ engine }: Planned) => (isAiEngine(engine) ? 'ai' : 'standard');

/** Check the factor and the format against the caller's plan. */
export function checkEntitlement(planned: Planned, factor: number, tier: Tier | undefined): Rejection | undefined {
  if (tier === undefined) return undefined;
  const upscaling = may(tier, { what: 'scale', by: kindOf(planned), factor });
  if (!upscaling.ok)
    return {
      code: upscaling.code,
      detail: `The scale is ${hundredths(factor)}x. Your plan allows up to ${upscaling.limit}x with ${kindOf(planned) === 'ai' ? 'AI' : 'the standard engine'}.${upgrade(upscaling, 'larger scales')}`,
      param: 'scaleFactor',
      meta: metaOf(upscaling),
    };
  const format = may(tier, { what: 'format', format: planned.output.format });
  if (!format.ok)
    return {
      code: format.code,
      detail: `Your plan doesn't include ${formatNames[planned.output.format]}. Use ${namesOf(format)}.${upgrade(format, 'all formats')}`,
      param: 'format',
      allowed: format.allowed,
      meta: metaOf(format),
    };
  return undefined;
}

const namesOf = ({ allowed = [] }: Refused) =>
  new Intl.ListFormat('en-US', { type: 'disjunction' }).format(
    allowed.map((name) => formatNames[name as OutputFormat]),
  );
const upgrade = ({ unlockedBy }: Refused, gain: string) =>
  unlockedBy ? ` Upgrade to ${plans[unlockedBy].name} for ${gain}.` : '';
const metaOf = ({ limit, value, unlockedBy }: Refused) => ({ limit, value, ...(unlockedBy && { unlockedBy }) });
