import { isAiEngine } from '@uprez/contracts/policy/engines';
import { localEngines } from '@uprez/contracts/policy/local-mode';
import { recipeDefaults } from '@uprez/contracts/recipe/recipe-fields';
import type { ImagePlan } from '@uprez/contracts/schemas/image-plan';
import { formatBytes } from '@uprez/contracts/texts/format';
import { estimateLocalMemory } from '@uprez/imaging/browser/estimate-local';
import { planImage } from '@uprez/imaging/plan/plan-image';
import type { Size } from '../../../lib/format/format.ts';
import { formatOf } from '../../../lib/images/preview-plan.ts';
import { localMessages as text } from '../messages.ts';
import type { LocalSettings } from '../state/local-store.ts';
import type { Device } from './read-device.ts';

/** `limit`: why this device can't process the image. */
export type LocalPlan = { plan: ImagePlan; limit?: undefined } | { limit: string; plan?: undefined };

type Planning = { size: Size; source: File; settings: LocalSettings; device: Device };

/** Plan a run, or say why this device can't process the image. */
export function planRun({ size, source, settings, device }: Planning): LocalPlan {
  const outcome = planImage({
    recipe: { ...recipeDefaults, ...settings },
    sourceBytes: source.size,
    // Whatever the file is: the browser decodes it to sRGB with 8 bits per sample.
    inspection: {
      ...size,
      format: formatOf(source.type) ?? 'jpeg',
      ...{ orientation: 1, channels: 4, space: 'rgb', isPalette: false, bitDepth: 8, frames: 1 },
      ...{ hasAlpha: false, hasProfile: false, decodesWhole: true },
    },
    limits: {
      maxOutputPixels: Number.POSITIVE_INFINITY,
      maxJobSeconds: Number.POSITIVE_INFINITY,
      autoEngine: localEngines[0],
      enginesAvailable: localEngines,
    },
  });
  if (!outcome.ok) return { limit: outcome.rejection.detail };
  const limit = findLimit(outcome.plan, device);
  return limit ? { limit } : { plan: outcome.plan };
}

function findLimit(plan: ImagePlan, device: Device): string | undefined {
  const { engine, output } = plan;
  if (isAiEngine(engine) && !device.runsModels) return text.noModels;
  const needed = estimateLocalMemory(plan);
  if (needed > device.memoryBytes) return text.needsMemory(formatBytes(needed), formatBytes(device.memoryBytes));
  const { pixels, side } = device.canvas;
  const isTooLarge = output.width * output.height > pixels || Math.max(output.width, output.height) > side;
  return isTooLarge && output.format !== 'png' ? text.canvasTooSmall : undefined;
}
