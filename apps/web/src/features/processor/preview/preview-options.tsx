import { recipeDefaults } from '@uprez/contracts/recipe/recipe-fields';
import { computeTargetSize } from '@uprez/imaging/pipeline/compute-target-size';
import type { Size } from '../../../lib/format/format.ts';
import type { SourceImage } from '../state/image.ts';
import { formatFor, useSettings } from '../state/settings-store.ts';
import { type TargetSize, toTargetFields } from '../state/target-size.ts';
import { useTransparency } from '../state/use-transparency.ts';

type Crop = Size & { left: number; top: number };

/** Returns the region of an image that a target size keeps, in the image's pixels. Undefined if nothing is cropped. */
export function findCrop(target: TargetSize | undefined, size: Size | undefined): Crop | undefined {
  const fields = target && toTargetFields(target);
  return (fields && size && computeTargetSize({ ...recipeDefaults, ...fields }, size).crop) ?? undefined;
}

const formatPercent = (part: number, whole: number) => `${(part / whole) * 100}%`;

export function CropFrame({ crop, size }: { crop: Crop; size: Size }) {
  return (
    <div
      data-crop
      className="pointer-events-none absolute border-2 border-white shadow-[0_0_0_1px_#000,0_0_0_9999px_rgb(0_0_0/0.55)]"
      style={{
        left: formatPercent(crop.left, size.width),
        top: formatPercent(crop.top, size.height),
        width: formatPercent(crop.width, size.width),
        height: formatPercent(crop.height, size.height),
      }}
    />
  );
}

/** Returns the effects of the settings that are visible before the run: the crop and the background color. */
export function usePreviewOptions(image: SourceImage) {
  const settings = useSettings();
  const { size } = image;
  const crop = findCrop(settings.target, size);
  const isFlattened = useTransparency(image, formatFor(settings, image));
  return {
    overlay: crop && size && <CropFrame crop={crop} size={size} />,
    backdrop: isFlattened ? settings.background : undefined,
  };
}
