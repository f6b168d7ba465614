import { isAiEngine } from '@uprez/contracts/engines';
import type { ImagePlan } from '@uprez/contracts/image-plan';
import { formatNames } from '@uprez/contracts/picture-formats';
import type { JobLimits, Refusal } from './job-limits.ts';

const hundredths = (n: number) => Math.round(n * 100) / 100;

/** Compare what would be made with what the caller's plan includes: the factor of its kind of engine, the format. */
export function checkEntitlement(
  { engine, output }: Pick<ImagePlan, 'engine' | 'output'>,
  factor: number,
  { maxFactor, formats }: JobLimits,
): Refusal | undefined {
  const kind = isAiEngine(engine) ? 'ai' : 'standard';
  const most = maxFactor?.[kind];
  if (most !== undefined && hundredths(factor) > most)
    return {
      code: 'plan_feature',
      detail: `This would be ${hundredths(factor)} times as large; your plan enlarges up to ${most} times with ${kind === 'ai' ? 'AI' : 'the standard engine'}.`,
      param: 'scaleFactor',
      meta: { limit: most, value: hundredths(factor) },
    };
  if (formats && formats !== 'all' && !formats.includes(output.format))
    return {
      code: 'plan_feature',
      detail: `${formatNames[output.format]} files are not part of your plan; it makes ${formats.map((name) => formatNames[name]).join(', ')}. Nothing was charged.`,
      param: 'format',
      allowed: formats,
      meta: { limit: formats.join(', '), value: output.format },
    };
  return undefined;
}
