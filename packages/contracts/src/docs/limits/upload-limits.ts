import { limits } from '../../policy/limits.ts';
import { currentPlans } from '../../policy/plans/plans.ts';
import { formatBytes, formatCount } from '../../texts/format.ts';
import { formatDuration, formatResponse, type LimitRows, listPerPlan } from './limit-row.ts';

const anotherImageText = 'With another image';
const { inspectionSteps: steps, tiffEntries } = limits;
const formatMegapixels = (pixels: number) => `${formatCount(pixels / 1_000_000)} megapixels`;
const maxAnimationText = formatMegapixels(limits.animationPixels);

export const uploadLimits = {
  upload_size: {
    what: 'Size of an upload',
    limit: [
      `Web app: ${formatBytes(limits.uploadBytes)}`,
      `API: ${listPerPlan(({ uploadBytes: { api } }) => (api ? formatBytes(api) : undefined))}`,
      `sandbox: ${formatBytes(limits.sandboxBytes)}`,
      `previews: ${formatBytes(limits.previewBytes)}`,
      `at most ${formatBytes(limits.uploadOverreadBytes)} more are read`,
    ].join('; '),
    met: `${formatResponse('file_too_large')}, closed. In a form with several images, only this item fails`,
    recovers: anotherImageText,
  },
  storage: {
    what: 'Stored files of an account',
    limit: listPerPlan(({ storageBytes }) => formatBytes(storageBytes)),
    met: formatResponse('storage_full'),
    recovers: 'When results expire or are deleted',
  },
  waiting_inspections: {
    what: 'Images of an account, or of the visitors of a network, that wait for inspection',
    limit: `${limits.waitingInspections} (${currentPlans.free.name} and visitors); on other plans, the requests per minute of the plan. \`RATE_LIMIT_SCALE\` multiplies it`,
    met: `${formatResponse('rate_limited')}, before the body is read if possible`,
    recovers: 'When images are inspected',
  },
  inspection_slots: {
    what: 'Images inspected at once',
    limit: `${limits.inspectionSlots} per gateway, ${limits.inspectionSlots / 2} per account, ${limits.visitorInspectionSlots} for all visitors`,
    met: 'Waits. The account that used the least time recently is next',
    recovers: 'When images are inspected',
  },
  inspection_time: {
    what: 'CPU time of one inspection',
    limit: formatDuration(limits.inspectionMs / 1_000),
    met: formatResponse('corrupt_image'),
    recovers: anotherImageText,
  },
  inspection_memory: {
    what: 'Memory of one inspection',
    limit: formatBytes(limits.inspectionMemoryBytes),
    met: formatResponse('corrupt_image'),
    recovers: anotherImageText,
  },
  image_structure: {
    what: 'Parts of an image file',
    limit: [
      `JPEG: ${formatCount(steps.jpeg)} segments before the pixels`,
      `PNG: ${formatCount(steps.png)} chunks`,
      `WebP: ${formatCount(steps.webp)} chunks`,
      `GIF: ${formatCount(steps.gif)} blocks`,
      `TIFF: ${formatCount(tiffEntries)} entries in a directory, and ${formatCount(limits.tiffComparisons)} as the sum of the squares of all pages`,
      `HEIC: ${formatCount(steps.heic)} boxes and entries, ${formatCount(limits.heifItems)} items, and ${formatCount(limits.heifTiles)} tiles`,
      `JPEG XL: ${formatCount(steps.jxl)} boxes, frames, and codes`,
    ].join('; '),
    met: formatResponse('corrupt_image'),
    recovers: anotherImageText,
  },
  image_pixels: {
    what: 'Pixels of an image',
    limit: formatMegapixels(limits.inputPixels),
    met: formatResponse('too_many_pixels'),
    recovers: anotherImageText,
  },
  image_side: {
    what: 'Longest side of an image',
    limit: `${formatCount(limits.inputSide)} pixels`,
    met: formatResponse('side_too_long'),
    recovers: anotherImageText,
  },
  image_frames: {
    what: 'Frames or pages of an image',
    limit: `${formatCount(limits.frames)}, with ${maxAnimationText} in total`,
    met: formatResponse('too_many_frames'),
    recovers: anotherImageText,
  },
  image_complexity: {
    what: 'Work to decode an image',
    limit: `JPEG: ${formatCount(limits.jpegScans)} scans, or more if together they cover at most ${formatMegapixels(limits.jpegScannedPixels)}; AVIF: ${formatMegapixels(limits.avifPixels)} of tiles, layers, and frames; JPEG XL: ${formatCount(limits.jxlFrames)} frames, with the work of ${formatMegapixels(limits.jxlPixels)} and ${formatCount(limits.jxlSections)} sections; all formats: ${formatDuration(limits.minDecodeMs / 1_000)} of CPU time until the image is decoded, or ${limits.decodeFactor} times its estimate`,
    met: formatResponse('image_too_complex'),
    recovers: anotherImageText,
  },
  fetch_time: {
    what: 'Time to fetch an image by URL',
    limit: formatDuration(limits.fetchSeconds),
    met: formatResponse('url_unreachable'),
    recovers: 'When the server responds in time',
  },
  fetch_slots: {
    what: 'Images of batches fetched from URLs at once',
    limit: `${limits.itemFetchSlots} per gateway, of these ${limits.freeFetchSlots} for Free and the sandbox; ${limits.accountFetchSlots} per account`,
    met: 'Waits. The account with the fewest running ones is next',
    recovers: 'When an image is fetched',
  },
  fetch_attempts: {
    what: 'Attempts to fetch an image of a batch after errors that may be temporary',
    limit: String(limits.itemFetches),
    met: 'The item fails',
    recovers: 'When the batch is retried',
  },
  preview_size: {
    what: 'Size of a preview',
    limit: `${limits.previewSide} x ${limits.previewSide} pixels, 1 frame`,
    met: formatResponse('preview_too_large'),
    recovers: anotherImageText,
  },
  preview_time: {
    what: 'Waiting time for a preview',
    limit: formatDuration(limits.waitSeconds),
    met: `${formatResponse('preview_too_slow')}. The preview is canceled`,
    recovers: 'When workers are less busy',
  },
} as const satisfies LimitRows;
