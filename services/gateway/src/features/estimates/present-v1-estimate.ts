import type { Engine } from '@uprez/contracts/schemas/engine-list';
import type { Estimate } from '@uprez/contracts/schemas/estimate';
import type { V1EngineList, V1Estimate } from '@uprez/contracts/v1/estimate';

/** An estimate as the public API answers it. */
export function presentV1Estimate({ limit, ...estimate }: Estimate): V1Estimate {
  if (!limit) return estimate;
  const { maxFactor, unlockedBy, ...facts } = limit;
  return {
    ...estimate,
    limit: {
      ...facts,
      ...(maxFactor !== undefined && { max_scale: maxFactor }),
      ...(unlockedBy && { unlocked_by: unlockedBy }),
    },
  };
}

/** An engine as the public API answers it. */
export const presentV1Engine = ({ isAuto, pixelsPerSecond, ...engine }: Engine): V1EngineList['data'][number] => ({
  ...engine,
  is_auto: isAuto,
  pixels_per_second: pixelsPerSecond,
});
