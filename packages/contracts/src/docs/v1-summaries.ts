import type { v1Routes } from '../endpoints/routes-v1.ts';
import { limits } from '../policy/limits.ts';
import { sandbox } from '../policy/sandbox.ts';

export const v1Tags = {
  Images: 'Process images, and estimate size, time, and cost.',
  Jobs: 'Follow, list, cancel, and delete jobs, and download their results.',
  Batches: 'Process several images with the same options.',
  Account: 'Read your plan, your quotas, and the properties of your API key.',
  Webhooks: 'Receive events at your URLs, and list events and deliveries.',
  Documentation: 'Descriptions of this API for tools.',
} as const;

/** `tag`: section of the reference. `summary`: a phrase. `description`: Markdown. */
export type V1Summary = { tag: keyof typeof v1Tags; summary: string; description: string };
const makeSection =
  (tag: V1Summary['tag']) =>
  (summary: string, ...paragraphs: [string, ...string[]]): V1Summary => ({
    tag,
    summary,
    description: paragraphs.join('\n\n'),
  });
const images = makeSection('Images');
const jobs = makeSection('Jobs');
const batches = makeSection('Batches');
const account = makeSection('Account');
const webhooks = makeSection('Webhooks');
const documents = makeSection('Documentation');

const cancelRule = `A job that is canceled while it is queued, or in its first ${limits.freeCancelSeconds} seconds or ${limits.freeCancelPercent}% of its estimated time, whichever is longer, is refunded. Later, it costs its credit. If a job is retried after an error, this time starts again.`;

const processingParagraphs = [
  'Send the image in one of 4 ways: as the `image` file of a form, as the request body, as base64 in the `image` field of a JSON body, or as an `https` URL in `image_url`. Only the image is required.',
  'Send options in the form, in the JSON body, or in the query string. Options have aliases. If you send two aliases of an option with different values, the request fails with `conflicting_params`. Unknown options fail with `invalid_parameter`. Adjustments to your options are listed in `notes`.',
  'Choose the size with one of `scale_factor`, `width` and `height`, `long_side`, `short_side`, or `megapixels`. By default, the result has twice the width and height and is a JPEG with quality 85. If the image has transparency and you set no format, the result is a PNG.',
  'Choose the response with the `Accept` header. With `application/json`, or without the header, it is the job. With `image/*`, it is the image. With a single type, such as `image/webp`, it is the image in this format, as if you set `format`. If both differ, the request fails with `conflicting_params`. With `application/octet-stream`, it is the image, whatever its format is. With `text/event-stream`, it is an event for each change of the job until the job ends. If nothing in `Accept` can be sent, the request fails with `not_acceptable`. Errors are always `application/problem+json`.',
  `The request waits up to ${limits.waitSeconds} seconds for the result, or ${limits.maxWaitSeconds} if the response is the image, and returns 200. If the job takes longer, the request returns 202 and the job, or no body if \`Accept\` excludes JSON. Poll the URL in \`Location\`, which is also the \`status_url\` of the job, until the job ends. To return immediately, send \`Prefer: respond-async\` or \`async=true\`. If the job fails while you wait, the request returns the job's error, and no credits are charged.`,
] as const;
const downloadUrlNote = `Each response contains a new \`download_url\`. It works without an API key for ${limits.downloadLinkMinutes} minutes.`;
const jobEvents =
  'With `Accept: text/event-stream`, the response is an event named `job` for each change until the job ends. Send the ID of your last event as `Last-Event-ID` to continue. 204 means that the job has ended and you already received its last event.';
const batchParagraphs = [
  'With a JSON body, describe the files. The response is 201, and you upload each file to the `upload_url` of its item. Items with an `image_url` are fetched and need no file name. Results of items with a `target_url` are uploaded there, too; `delivery` of the item says when, or why not. With a form, send all files in repeated `images` fields. The response is 200 if all items end while you wait, and 202 otherwise.',
  `A batch has at most ${limits.batchItems} files. Credits are reserved for all files or none. With \`accept_partial\`, credits are reserved for as many files as possible.`,
] as const;
const noKeyNote = 'Requires no API key.';

/** Summaries of all public endpoints, in the order of the documentation. */
export const v1Summaries: Record<keyof typeof v1Routes, V1Summary> = {
  v1Process: images('Process an image', ...processingParagraphs),
  v1Resize: images('Process an image (alias of /v1/process)', ...processingParagraphs),
  v1Estimate: images(
    'Estimate a job',
    "Estimates a job from an image's properties. You do not upload the image. `width` and `height` are its dimensions. To set the size of the result in pixels, use `target`. All other fields are the options of `/v1/process`.",
    'If the job would be rejected, the response contains the reason in `limit`. To estimate a job for an image that you send, use `/v1/process` with `dry_run=true`.',
  ),
  v1Engines: images(
    'List engines',
    'Lists the engines, the quota that each one uses, and whether a worker currently runs it.',
  ),
  v1ListJobs: jobs('List jobs', 'Returns jobs, newest first.'),
  v1GetJob: jobs('Get a job', `${downloadUrlNote} ${jobEvents}`),
  v1JobStatus: jobs('Get a job (alias of /v1/jobs/{id})', downloadUrlNote),
  v1JobResult: jobs(
    'Download the result of a job',
    'Returns the image. Unlike `download_url`, this URL requires an API key and does not change. If the job has failed, the response is its error.',
  ),
  v1JobReceipt: jobs(
    'Get the receipt of a job',
    'Returns how the result was made: the engine and its version, the sizes and digests of the image and the result, and what was converted. Jobs have a receipt once they are completed.',
  ),
  v1DeleteJob: jobs(
    'Cancel or delete a job',
    `Cancels a queued or processing job. ${cancelRule} Deletes the files of a finished job immediately and returns their digests.`,
  ),
  v1File: jobs(
    'Download a result by its signed URL',
    "The URL is the job's `download_url`. It is signed and requires no API key.",
  ),
  v1Image: images(
    'Get an image by a signed URL',
    'Processes the image at `source` with the `options` and sends the result, for the `src` of an image on your website. Further requests get the stored result. The URL is signed with the secret of your account and requires no API key. Enable image URLs on the "API" tab of your dashboard first.',
    `The request waits up to ${limits.waitSeconds} seconds for the image. After that, the response is 503 with \`Retry-After\`, and the image is still processed. A result is charged when it is made, and at most once a day.`,
  ),
  v1ListBatches: batches('List batches', 'Returns batches without their items, newest first.'),
  v1CreateBatch: batches('Create a batch', ...batchParagraphs),
  v1Bulk: batches('Create a batch (alias of /v1/batches)', ...batchParagraphs),
  v1PutBatchItem: batches(
    'Upload the file for a batch item',
    'You can repeat the upload until the file is accepted. If the image is invalid, the request fails, and the item has the status `failed`.',
  ),
  v1GetBatch: batches('Get a batch', 'Returns the batch with all of its items.'),
  v1CancelBatch: batches(
    'Cancel a batch',
    `Cancels all unfinished items. Waiting items are refunded. ${cancelRule} Existing results remain available.`,
  ),
  v1RetryBatch: batches(
    'Retry the failed items in a batch',
    'Processes the failed items again, optionally with another engine. If the file of an item is no longer stored, its status becomes `waiting`, and you must upload the file again.',
  ),
  v1BatchZip: batches(
    'Download the results of a batch as a ZIP archive',
    'Returns the results that are available at the time of the request.',
  ),
  v1BatchManifest: batches(
    'Get the manifest of a batch',
    'Returns a row for each item with its file names, sizes, status, and error.',
  ),
  v1BatchManifestCsv: batches('Get the manifest of a batch as CSV', 'Returns the rows of the manifest as a CSV file.'),
  v1Account: account(
    'Get your plan and quotas',
    `Returns your plan, your quotas, and the properties of the API key. Requests under \`${sandbox.prefix}\`, and requests with sandbox keys, use no credits.`,
  ),
  v1ListWebhooks: webhooks('List webhook endpoints', 'Returns all webhook endpoints, without their secrets.'),
  v1CreateWebhook: webhooks(
    'Create a webhook endpoint',
    'Returns the endpoint with its secret. The secret is not shown again.',
  ),
  v1GetWebhook: webhooks('Get a webhook endpoint', 'Returns the endpoint without its secret.'),
  v1UpdateWebhook: webhooks(
    'Update a webhook endpoint',
    'Changes the URL, description, or events, or disables or enables the endpoint. Omitted fields keep their values.',
  ),
  v1DeleteWebhook: webhooks(
    'Delete a webhook endpoint',
    'Deletes the endpoint. Pending deliveries to it are not sent.',
  ),
  v1RotateWebhookSecret: webhooks(
    "Rotate a webhook endpoint's secret",
    'Returns the endpoint with a new secret. Deliveries are signed with both secrets until the previous one expires.',
  ),
  v1TestWebhook: webhooks(
    'Send a test event',
    'Sends a `webhook.test` event to the endpoint and returns the delivery.',
  ),
  v1ResendWebhook: webhooks(
    'Resend events since a given time',
    'Sends all events since the given time to the endpoint again, including delivered events.',
  ),
  v1ListWebhookDeliveries: webhooks('List the deliveries to a webhook endpoint', 'Returns deliveries, newest first.'),
  v1GetWebhookDelivery: webhooks('Get a delivery', 'Returns the delivery with its body and all attempts.'),
  v1ResendWebhookDelivery: webhooks('Resend a delivery', 'Sends the event again, with the same `webhook-id`.'),
  v1ListEvents: webhooks(
    'List events',
    `Returns the events from the last ${limits.eventDays} days, oldest first. To continue, pass the ID of the last event you received as \`after\`.`,
  ),
  v1OpenApi: documents('Get the OpenAPI document', noKeyNote),
  v1Postman: documents('Get the Postman collection', noKeyNote),
};
