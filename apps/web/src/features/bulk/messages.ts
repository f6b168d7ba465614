import { inputFormatsText } from '@uprez/contracts/policy/images/image-formats';
import type { NamingToken } from '@uprez/contracts/policy/images/results';
import { limits } from '@uprez/contracts/policy/limits';
import { countImages, type Meter } from '@uprez/contracts/policy/plans/meters';
import {
  formatBytes,
  formatCount,
  formatDay,
  formatList,
  formatPercent,
  formatPrice,
  pluralize,
} from '@uprez/contracts/texts/format';
import { formatDateTime, formatTotalEstimate } from '../../lib/format/format.ts';

type Cost = {
  credits: readonly (readonly [Meter, number])[];
  seconds: number | undefined;
  minSeconds: number | undefined;
  waitSeconds: number | undefined;
};

export const bulkMessages = {
  region: 'Bulk image processor',
  loading: 'Loading list',
  file: 'Image files',
  folder: 'Folder of images',
  choose: 'Choose images',
  chooseFolder: 'Choose folder',
  drop: 'or drop files and folders here',
  dropNow: 'Drop to add',
  dropReject: `This file type isn't supported. Use ${inputFormatsText}.`,
  accepted: inputFormatsText,
  limits: (files: number, bytes: number) => `Up to ${pluralize(files, 'image')} per batch, ${formatBytes(bytes)} each`,
  add: 'Add images',
  tooMany: {
    title: 'Too Many Files',
    description: `Maximum ${limits.batchItems} images allowed. Extra files have been removed.`,
  },
  refused: (refused: number) => ({
    title: `${pluralize(refused, 'file')} not added`,
    description: 'See the list for details.',
  }),
  aside: (n: number) => `${pluralize(n, 'image')} on hold`,
  asideText: (n: number) =>
    `A batch can have up to ${limits.batchItems} images. Add ${n === 1 ? 'this image' : 'these images'} later.`,
  asideLost: (n: number) => `Drop ${n === 1 ? 'this file' : 'these files'} again to add ${n === 1 ? 'it' : 'them'}.`,
  asideAdd: 'Add to this batch',
  asideNext: 'Start next batch',
  list: 'Images',
  settings: 'Options for all images',
  changeSettings: 'Change options',
  hideSettings: 'Hide options',
  rowOptions: (name: string) => `Options for ${name}`,
  resetRowOptions: 'Use options for all images',
  quality: (quality: number) => `quality ${quality}`,
  factor: (factor: number) => `${factor}x`,
  autoFormat: 'Auto format',
  autoEngine: 'Auto engine',
  statuses: {
    pending: 'Pending',
    uploading: 'Uploading',
    queued: 'Queued',
    processing: 'Processing',
    completed: 'Completed',
    failed: 'Failed',
    cancelled: 'Canceled',
    expired: 'Deleted',
    rejected: 'Not added',
  },
  fileNeeded: 'File needed',
  holds: { plan: 'Later batch', quota: 'Over quota' },
  ownOptions: (factor: number, format: string) => `· ${factor}x ${format}`,
  target: (size: string) => `-> ${size}`,
  targetFormat: (format: string) => `· ${format}`,
  repeats: (name: string) => `Same image as ${name}. It's free.`,
  larger: 'The result is larger than your original file.',
  repair: 'Reduce file size',
  losses: (transparent: number, animated: number) =>
    [
      ...(transparent > 0 ? [`${pluralize(transparent, 'image')} would lose transparency.`] : []),
      ...(animated > 0 ? [`${pluralize(animated, 'animation')} would keep only the first frame.`] : []),
    ].join(' '),
  useAuto: 'Use Auto format',
  saved: (saved: number, percent: number) => `Saved ${formatBytes(saved)} (${formatPercent(percent)})`,
  progressOf: (name: string) => `Progress for ${name}`,
  remove: (name: string) => `Remove ${name}`,
  retry: (name: string) => `Retry ${name}`,
  cancel: (name: string) => `Cancel ${name}`,
  preview: (name: string) => `View result of ${name}`,
  result: 'Result',
  resultOf: (name: string) => `Result of ${name}`,
  downloadResult: 'Download',
  download: (name: string) => `Download ${name}`,
  processAll: 'Process All',
  processFirst: (n: number) => `Process first ${pluralize(n, 'image')}`,
  processNow: (n: number) => `Process ${formatCount(n)} now`,
  starting: 'Starting...',
  blockers: {
    filesNeeded: 'Add the missing files again to process them.',
    finished: 'No images are left to process.',
    noImages: 'None of these files can be processed. Add images to continue.',
  },
  clearAll: 'Clear All',
  cleared: (n: number) => `${pluralize(n, 'image')} removed from the list`,
  clearedResults: 'You can find the results in Recent Activity until they are deleted.',
  undo: 'Undo',
  startNew: 'Start new batch',
  retryFailed: (n: number) => `Retry failed images (${n})`,
  retryCancelled: (n: number) => `Retry canceled images (${n})`,
  cancelAll: 'Cancel all',
  pause: 'Pause',
  resume: 'Resume',
  paused: 'Paused',
  pauseFailed: "Couldn't pause the batch",
  resumeFailed: "Couldn't resume the batch",
  pausedTitle: (n: number) => `Paused. ${pluralize(n, 'image')} not started yet`,
  /** `until`: when uploaded images start. `rest`: number of images that haven't been uploaded yet. */
  pausedText: (until: string | undefined, rest: number) =>
    `Images in progress will finish.${until ? ` Uploaded images start automatically on ${formatDateTime(until)}.${rest > 0 ? ' Resume before then to upload the rest.' : ''}` : ''}`,
  confirmCancel: (credits: number, images: number) => ({
    title: 'Cancel processing?',
    text:
      images === 1
        ? `Canceling now uses ${pluralize(credits, 'credit')}.`
        : `Canceling now uses ${pluralize(credits, 'credit')} for images in progress. The others are free to cancel.`,
    confirm: 'Cancel processing',
  }),
  cancelFailed: "Couldn't cancel processing",
  cancelledAll: (n: number) => `${pluralize(n, 'image')} canceled`,
  removeRejected: (n: number) => `Remove ${pluralize(n, 'rejected file')}`,
  finished: (done: number, failed: number) =>
    `${formatCount(done)} images processed successfully${failed > 0 ? `, ${formatCount(failed)} failed` : ''}`,
  milestone: (percent: number) => `${formatPercent(percent)} of the batch is done`,
  ready: (n: number) => pluralize(n, 'image'),
  cost: ({ credits, seconds, minSeconds, waitSeconds }: Cost) =>
    [
      `Uses ${formatList(credits.map(([meter, n]) => countImages(n, meter)))}`,
      ...(seconds === undefined ? [] : [formatTotalEstimate({ seconds, minSeconds, waitSeconds })]),
    ].join(' · '),
  filter: 'Show',
  filterAll: (n: number) => `All (${formatCount(n)})`,
  filterFailed: (n: number) => `Failed (${formatCount(n)})`,
  doneOf: (done: number, total: number) => `${formatCount(done)} of ${formatCount(total)} done`,
  failed: (n: number) => `${formatCount(n)} failed`,
  cancelled: (n: number) => `${formatCount(n)} canceled`,
  lost: (n: number) => `${pluralize(n, 'file')} to drop again`,
  left: (time: string) => `${time} left`,
  progress: 'Batch progress',
  stalled: 'The connection was lost or the server is busy. Retrying...',
  problem: "Couldn't start batch",
  notKept:
    "Your list is open in another tab, so this tab can't save changes. Images you add here will be lost if you close or reload it.",
  lostTitle: (n: number) => `${pluralize(n, 'file')} couldn't be restored`,
  lostText: (bytes: number) =>
    `Your browser can save up to ${formatBytes(bytes)} of files. Drop the files marked "File needed" again to continue.`,
  shortage: (needs: number, have: number, meter: Meter) =>
    have > 0
      ? `This batch uses ${countImages(needs, meter)}, but you have only ${formatCount(have)} left.`
      : `You have no ${countImages(0, meter).slice(2)} left.`,
  waitOrUpgrade: (rest: number, date: string | undefined) =>
    `To process the other ${rest === 1 ? 'image' : formatCount(rest)}, ${date ? `wait until ${formatDay(date)} or ` : ''}upgrade your plan.`,
  waitOrUpgradeAll: (date: string | undefined) =>
    date ? `Wait until ${formatDay(date)} or upgrade your plan.` : 'Upgrade your plan to continue.',
  seePlans: 'View plans',
  upgradeTitle: (limit: number) => `Your plan allows ${limit} images per batch`,
  upgradeText: (locked: number, later: number) => {
    if (later === 0) return `${formatCount(locked)} more ${locked === 1 ? 'image is' : 'images are'} over your quota.`;
    const covered = later < locked ? ` Your quota covers ${formatCount(later)} of them.` : '';
    return `${pluralize(locked, 'image')} will stay in the list for later batches.${covered}`;
  },
  upgradeOffer: ({ name, files, price }: { name: string; files: number; price: number }) =>
    `Upgrade to ${name} for ${files} images per batch (${formatPrice(price)} per month).`,
  downloads: 'Download options',
  zip: (n: number) => `Download all as ZIP (${n})`,
  zipPart: (index: number, n: number) => `Download ZIP ${index} (${n})`,
  manifest: 'Manifest',
  manifestPart: (index: number) => `Manifest ${index}`,
  csv: 'CSV',
  json: 'JSON',
  naming: 'File names in the ZIP',
  example: (path: string) => `Example: ${path}`,
  tokens: (tokens: readonly NamingToken[]) =>
    `Available placeholders: ${tokens.map((token) => `{${token}}`).join(' ')}.`,
  folders: 'Folders are kept.',
  deleted: (hours: number) => `Results are deleted after ${hours} hours.`,
} as const;
