export type Size = { width: number; height: number };
type Area = Size & { left: number; top: number };
/** How a stored image is shown: the used area, and its EXIF orientation. */
export type View = { area: Area; orientation: number };
/** `turn`: counterclockwise quarter turns. `mirror`: swaps left and right if `isSideways`, otherwise top and bottom. */
export type Transform = { kind: 'turn'; quarters: number } | { kind: 'mirror'; isSideways: boolean } | Crop;
/** Size of the cropped part, and the distance between its center and the center of the image. */
type Crop = { kind: 'crop'; width: number; height: number; across: number; down: number };

/**
 * EXIF orientations by number of clockwise quarter turns. First row: without mirroring. Second row: left and right are
 * swapped before the turn.
 */
const orientations = [
  [1, 6, 3, 8],
  [2, 7, 4, 5],
] as const;
type Turn = { isMirrored: boolean; quarters: number };

/**
 * Combines the transforms of an image of this size (ISO/IEC 23008-12, 6.5: irot, imir, clap), which apply in order.
 * Returns undefined if a crop contains no pixels.
 */
export function combineTransforms(size: Size, transforms: readonly Transform[]): View | undefined {
  let area: Area = { left: 0, top: 0, ...size };
  let turned: Turn = { isMirrored: false, quarters: 0 };
  for (const transform of transforms) {
    if (transform.kind === 'crop') {
      const cropped = cropArea(area, turned, transform);
      if (!cropped) return undefined;
      area = cropped;
    } else turned = turnBy(turned, transform);
  }
  const orientation = orientations[turned.isMirrored ? 1 : 0][turned.quarters] as number;
  return { area, orientation };
}

function turnBy({ isMirrored, quarters }: Turn, transform: Exclude<Transform, Crop>): Turn {
  if (transform.kind === 'turn') return { isMirrored, quarters: (quarters + 4 - transform.quarters) % 4 };
  // Mirroring after a turn equals turning back after mirroring. An additional half turn swaps top and bottom instead of
  // left and right.
  const half = transform.isSideways ? 0 : 2;
  return { isMirrored: !isMirrored, quarters: (4 - quarters + half) % 4 };
}

const epsilon = 1e-6;

function cropArea(area: Area, turned: Turn, crop: Crop): Area | undefined {
  const isSide = turned.quarters % 2 === 1;
  const shown = isSide ? { width: area.height, height: area.width } : { width: area.width, height: area.height };
  const [width, height] = [Math.round(crop.width), Math.round(crop.height)];
  const left = Math.floor((shown.width - 1) / 2 + crop.across - (crop.width - 1) / 2 + epsilon);
  const top = Math.floor((shown.height - 1) / 2 + crop.down - (crop.height - 1) / 2 + epsilon);
  const from = { left: Math.max(0, left), top: Math.max(0, top) };
  const until = { right: Math.min(shown.width, left + width), bottom: Math.min(shown.height, top + height) };
  const part = { ...from, width: until.right - from.left, height: until.bottom - from.top };
  if (!(part.width > 0 && part.height > 0)) return undefined;
  const stored = turnBack(part, shown, turned);
  return { ...stored, left: area.left + stored.left, top: area.top + stored.top };
}

/** Maps a part of a turned image of size `shown` to the image before mirroring and turning. */
function turnBack(part: Area, shown: Size, { isMirrored, quarters }: Turn): Area {
  let [area, size] = [part, shown];
  for (let i = 0; i < quarters; i++) {
    const { left, top, width, height } = area;
    area = { left: top, top: size.width - left - width, width: height, height: width };
    size = { width: size.height, height: size.width };
  }
  return isMirrored ? { ...area, left: size.width - area.left - area.width } : area;
}
