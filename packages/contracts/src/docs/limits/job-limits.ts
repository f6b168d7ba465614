import { getMaxDailyImages } from '../../policy/daily-limits.ts';
import { limits } from '../../policy/limits.ts';
import { countImages, meters } from '../../policy/plans/meters.ts';
import { currentPlans, retention, tiers } from '../../policy/plans/plans.ts';
import { resultRetryDelaysS } from '../../schemas/jobs/batch.ts';
import { formatAlternatives, formatBytes, formatCount, formatList } from '../../texts/format.ts';
import {
  formatDuration,
  formatResponse,
  type LimitRow,
  type LimitRows,
  listPerPlan,
  midnightResetText,
} from './limit-row.ts';

const plansWithoutHardStop = formatList(
  tiers.flatMap((tier) => (currentPlans[tier].hardStop ? [] : currentPlans[tier].name)),
);
const smallerJobText = 'With a smaller scale or another engine';
const formatMegapixels = (pixels: number) => `${formatCount(pixels / 1_000_000)} megapixels`;

export const jobLimits = {
  quota: {
    what: 'Images per month',
    limit: listPerPlan(({ included }: { included: Partial<Record<(typeof meters)[number], number>> }) =>
      meters.flatMap((meter) => (included[meter] ? countImages(included[meter], meter) : [])).join(' and '),
    ),
    met: `${formatResponse('quota_exceeded')}. ${plansWithoutHardStop} continues`,
    recovers: 'With the next month of the subscription',
  },
  key_cap: {
    what: 'Images per month of an API key',
    limit: 'Set by its owner',
    met: formatResponse('key_cap_exceeded'),
    recovers: 'With the next calendar month (UTC)',
  },
  daily_images: {
    what: 'New images of an account in a day (UTC), in jobs, batches, and retries: also those that fail or are canceled. A batch above it is rejected as a whole',
    limit: `${listPerPlan((plan) => formatCount(getMaxDailyImages(plan)))}, and the images of its packs and grants`,
    met: formatResponse('rate_limited'),
    recovers: midnightResetText,
  },
  daily_sandbox_images: {
    what: 'New images of the sandbox of an account in a day (UTC), counted separately',
    limit: listPerPlan((plan) => formatCount(getMaxDailyImages(plan))),
    met: formatResponse('rate_limited'),
    recovers: midnightResetText,
  },
  plan_features: {
    what: 'Scale, format, and features of a plan',
    limit: `AI: ${listPerPlan(({ maxFactor }) => `${maxFactor.ai}x`)}; standard: ${listPerPlan(({ maxFactor }) => `${maxFactor.standard}x`)}`,
    met: formatResponse('plan_feature'),
    recovers: 'With a larger plan',
  },
  output_pixels: {
    what: 'Pixels of a result',
    limit: [
      listPerPlan(({ maxOutputPixels }) => formatMegapixels(maxOutputPixels)),
      `animations: ${formatMegapixels(limits.animationOutputPixels)}`,
      `JPEG XL: ${formatMegapixels(limits.jxlOutputPixels)}`,
      `the sides that its format allows, and ${formatBytes(limits.childMemoryBytes)} of estimated memory`,
    ].join('; '),
    met: formatResponse('output_too_large'),
    recovers: smallerJobText,
  },
  job_seconds: {
    what: 'Estimated seconds of a job',
    limit: [
      listPerPlan(({ jobSeconds }) => `${formatCount(jobSeconds)} s`),
      '`MAX_JOB_S`',
      `AI that makes an image smaller: ${limits.aiShrinkSeconds} s`,
      `previews: ${limits.waitSeconds} s`,
    ].join('; '),
    met: formatResponse('job_too_long'),
    recovers: smallerJobText,
  },
  free_seconds: {
    what: 'Seconds of images of the Free plan, of the sandbox, and of previews without a paid plan, from one IP address: estimated, or used if that is more',
    limit: `${formatCount(limits.freeSeconds)} s in ${formatDuration(limits.freeSecondsMinutes * 60)}. \`RATE_LIMIT_SCALE\` multiplies it`,
    met: formatResponse('rate_limited'),
    recovers: 'When the window ends, see `Retry-After`',
  },
  queue_wait: {
    what: 'Estimated time until a new image of the plan starts',
    limit: `\`MAX_WAIT_FREE_S\` for the Free plan and the sandbox, \`MAX_WAIT_PAID_S\` for other plans, ${limits.waitSeconds} s for previews`,
    met: `${formatResponse('queue_full')}, before the body is read. Files of batches that were created before are accepted`,
    recovers: `When fewer images wait, see \`Retry-After\` (at most ${limits.queueRetrySeconds} s)`,
  },
  wait_time: {
    what: 'Waiting time of a request for its result',
    limit: `${limits.waitSeconds} s, or ${limits.maxWaitSeconds} s for the image itself (\`Accept: image/*\`), or up to ${limits.maxWaitSeconds} s with \`Prefer: wait=N\``,
    met: '202 with the job, which continues, or without a body if `Accept` excludes JSON',
    recovers: 'By polling the job',
  },
  run_time: {
    what: 'Time of a run',
    limit: [
      `${limits.wallFactor} times its estimate, or ${limits.minRunMs / 1_000} s and ${limits.shortWallFactor} times its estimate up to ${limits.shortRunMs / 1_000} s if that is more`,
      'at most `MAX_JOB_S`',
      `without progress, ${limits.stallFactor} times the estimate of a tile or of encoding, and at least ${limits.minStallMs / 1_000} s`,
    ].join('; '),
    met: `The job fails with \`processing_timeout\`. If the run would have ended within ${limits.slowRunFactor} times the limit (at most \`MAX_JOB_S\`) at its pace, it is retried once with that limit`,
    recovers: smallerJobText,
  },
  run_memory: {
    what: 'Memory of a run',
    limit: `${limits.runMemoryFactor} times its estimate, at least ${formatBytes(limits.minRunMemoryBytes)} more than before it, at most ${formatBytes(limits.childMemoryBytes)} in total`,
    met: 'The run is stopped and retried once. Then the job fails with `processing_memory`',
    recovers: smallerJobText,
  },
  lowered_runs: {
    what: 'Time and memory of a run after one that exceeded its memory or crashed',
    limit: `Half of the limits above, at least ${limits.minRunMs / 1_000} s`,
    met: 'As above',
    recovers: 'With the next job',
  },
  attempts: {
    what: 'Failed attempts at a job',
    limit: `${limits.attempts}, or ${limits.equalFailures} for the same cause; 1 if the time of a run isn't enough`,
    met: 'The job fails with `processing_crashed`, `processing_timeout`, or `processing_memory`',
    recovers: 'With a new job',
  },
  claims: {
    what: 'Attempts at a job that end for other reasons, such as unavailable storage',
    limit: String(limits.claims),
    met: 'The job fails with `processing_crashed`',
    recovers: 'With a new job',
  },
  free_cancel: {
    what: 'Processing in an attempt after which canceling a job is charged',
    limit: `${limits.freeCancelSeconds} s or ${limits.freeCancelPercent}% of the estimate, whichever is longer`,
    met: 'The canceled job costs its credit',
    recovers: 'With the next job',
  },
  result_time: {
    what: 'Retention of a result',
    limit: `Up to ${formatDuration(retention.resultMinutes * 60)}, as set by \`retention\`; sandbox: ${limits.sandboxHours} hour; previews: ${limits.previewMinutes} minutes`,
    met: formatResponse('result_expired'),
    recovers: 'By processing the image again',
  },
  download_link_time: {
    what: 'Life of a download link',
    limit: `${formatDuration(limits.downloadLinkMinutes * 60)}; shared: ${formatAlternatives(limits.shareHours.map((hours) => formatDuration(hours * 3_600)))}, at most until the result is deleted`,
    met: formatResponse('link_expired'),
    recovers: 'By reading the job again',
  },
  batch_size: {
    what: 'Images of a batch',
    limit: listPerPlan(({ bulkFiles }) => String(bulkFiles)),
    met: `${formatResponse('plan_feature')}; above ${limits.batchItems}: ${formatResponse('invalid_parameter')}`,
    recovers: 'With a smaller batch',
  },
  batch_time: {
    what: 'Time to upload the files of a batch',
    limit: formatDuration(limits.batchHours * 3_600),
    met: 'The item fails with `file_never_came`',
    recovers: 'When the batch is retried',
  },
  item_upload: {
    what: 'Uploads of one batch item at a time',
    limit: `1. A lost one ends after ${formatDuration(limits.itemUploadSeconds)}`,
    met: formatResponse('item_upload_running'),
    recovers: 'When that upload ends',
  },
  delivery_time: {
    what: 'Time to upload a result to the target URL of its batch item',
    limit: `${formatDuration(limits.resultDeliverySeconds)}; ${formatDuration(limits.resultStallSeconds)} without progress`,
    met: 'The attempt fails with `timeout`',
    recovers: 'With the next attempt',
  },
  delivery_slots: {
    what: 'Results uploaded to target URLs at once',
    limit: `${limits.resultSlots} per dispatcher, of these ${limits.freeResultSlots} for Free and the sandbox; ${limits.accountResultSlots} per account`,
    met: 'Waits. The account with the fewest running ones is next',
    recovers: 'When a result is uploaded',
  },
  delivery_attempts: {
    what: 'Attempts to upload a result after errors that may be temporary',
    limit: `${resultRetryDelaysS.length + 1} in ${formatDuration(resultRetryDelaysS.reduce((sum, seconds) => sum + seconds, 0))}`,
    met: 'The delivery fails. The result can still be downloaded',
    recovers: 'With a new batch',
  },
} as const satisfies LimitRows;

/**
 * Row for the number of jobs that are processed at once. It has metrics of its own instead of a limit name. The number
 * of waiting jobs is limited only for visitors' previews.
 */
export const queueRow: LimitRow & { metric: string } = {
  what: 'Jobs processed at once',
  limit: `Slots of the workers (\`WORKER_CONCURRENCY\`). The next job is of the account that used the fewest seconds, divided by the weight of its plan: ${listPerPlan(({ queueWeight }) => String(queueWeight))}. Previews of all visitors: 1`,
  met: 'Waits',
  metric: '`queue_jobs`, `job_queue_wait_seconds`',
  recovers: 'When a slot is free',
};
