import { crispRange } from '../policy/images/image-formats.ts';
import { limits } from '../policy/limits.ts';
import { formatBytes } from '../texts/format.ts';

/** Changes to the public API, newest first. */
export const changelog = [
  {
    date: '2026-12-02',
    version: '1.5.0',
    changes: [
      'Results of AI engines are marked with `DigitalSourceType` of IPTC (`algorithmicallyEnhanced`), also if `metadata` is `none`.',
      'Jobs have a note if the gain map of an HDR photo was not kept.',
      'AI engines process soft parts of an image at a smaller size, which is faster. Receipts have `working_scale`, `working_shares`, and `detail_megapixels`.',
      `\`detail\` chooses the look of images that are upscaled with AI: \`faithful\` (default) or \`crisp\`, below ${crispRange.below}x. Receipts have the \`detail\` that was used.`,
      'AI engines enhance still images at a scale factor of 1: they process them at two thirds of their size and keep the low frequencies of the source.',
      '`strength` blends the result of an AI engine with an image that is resampled without AI. Receipts have the `strength` that was used.',
      `\`mask\` protects areas of an image from AI: a PNG of at most ${formatBytes(limits.maskBytes)}, as a file of a form or as base64, for single images. Receipts have \`masked_share\`.`,
      '`print_profile` converts JPEG and TIFF results to CMYK with an ICC profile, which is embedded: `generic`, or a profile of the server. Receipts have `print` with the total ink.',
      "`engine` accepts `custom:` and the name of a model that the operator has added. `GET /v1/engines` lists these models after the built-in engines, with `custom`. They count as AI images. Clients must accept engines that they don't know.",
      'Estimates and dry runs have `min_seconds`. A job that is too long only if the image is sharp is accepted, and fails with `job_too_long` at no charge.',
    ],
  },
  {
    date: '2026-11-29',
    version: '1.4.0',
    changes: [
      'The engine `nearest` repeats the pixels of pixel art exactly, at whole scale factors.',
      '`edges` set to `wrap` keeps seamless textures seamless, and `alpha` set to `data` processes alpha as data instead of transparency.',
      `API keys can allow up to ${limits.apiKeyOrigins} websites each. Pages on these websites can call the API and read results.`,
      `With \`Accept: image/*\`, \`POST /v1/process\` waits up to ${limits.maxWaitSeconds} seconds. If the image takes longer, the response is 202 without a body, and \`Location\` is the URL of the job.`,
      'Jobs have a note for each part of `Prefer` that was ignored, and an empty `Idempotency-Key` is rejected.',
      '`never_larger` returns your image at no charge if the result would have the same dimensions and format but a larger file.',
      'The same image with the same options is free in a batch, too, while its earlier result is stored.',
      'A request with the same image and options creates its own job with its own file name and webhook. Its result is a copy of the stored one at no charge, and `cached` of the job is `true`. You need 1 available credit to send it, which is refunded. Before, the earlier job was returned, also without credits.',
      'If requests with the same image and options are processed at the same time, only one is charged.',
      '`X-Cache` is sent only with completed jobs.',
      '`format=auto` returns opaque PNG, TIFF, and BMP images as PNG, and HEIC and AVIF photos of more than 8 bits as JPEG.',
      'The name of a result at the same scale has no `-1x`.',
      'Estimates have `wait_seconds`: how long the job would wait in the queue.',
      'The print resolution of an image is kept with its metadata, unless `keep_dpi` is false, and `dpi` sets another one.',
      'Expired download links fail with 410 `link_expired`, and known URLs with another method with 405 `method_not_allowed` and `Allow`.',
      'A range outside of a file fails with 416 `range_not_satisfiable`. Before, the response had no body.',
      'Scale factors can have any number of decimal places or be a fraction such as `4/3`. They are rounded to 6 decimal places.',
      'Batches have a note for each part of `Prefer` that was ignored.',
      'Every endpoint rejects unknown query parameters. Before, `/v1/batches` ignored image options in the query string.',
      'JSON fields that are `null` are unset. JSON can start with a byte order mark, and is optional where no field is required.',
      '`success` of a job is `null` until the job ends.',
      'A request that repeats an `Idempotency-Key` fails with `result_expired` if the result was deleted, whatever `Accept` is.',
      'Another file for a batch item that has one is rejected with 409 `item_has_file`. The same file can be sent again.',
      'Errors that are triggered in the sandbox have the same `meta` as real ones.',
      '`GET /v1/jobs/{id}` with `Accept: text/event-stream` streams the changes of the job, and continues after `Last-Event-ID`.',
      '`batch.item_rejected` is sent if an image of a batch was rejected, could not be fetched, or was not uploaded in time.',
      'A batch has a `batch.completed` event even if all of its images are rejected.',
      'JSON, CSV, and other text is compressed with brotli or gzip.',
      'If a query parameter is sent more than once, the error names it. Base64 images can contain white space.',
      'Paths can end with a slash, and data URLs can have parameters such as `charset`.',
    ],
  },
  {
    date: '2026-11-27',
    version: '1.3.0',
    changes: [
      '`POST /v1/process` returns the image if you send `Accept: image/*`, one image type, or `application/octet-stream`, and the changes of the job if you send `Accept: text/event-stream`.',
      '`GET /v1/jobs/{id}/result` returns the image, and `GET /v1/jobs/{id}/receipt` how it was made.',
      'If nothing in `Accept` can be sent, `POST /v1/process` fails with `not_acceptable`.',
    ],
  },
  {
    date: '2026-11-27',
    version: '1.2.0',
    changes: [
      '`grain` adds film grain, and `auto` chooses between a model for photos and one for drawings.',
      'Jobs have a `fidelity`: how well the result agrees with the image at the same size.',
      'HEIC, HEIF, and JPEG XL images are accepted, and of AVIF sequences the first frame.',
      'Signed image URLs for websites, without an API key: `/v1/img/{signature}/{processing}/{source}`.',
      'Assistants can use the API through the Model Context Protocol (MCP) at `/mcp`.',
      'Batch items can have a `target_url` that the result is uploaded to, such as a signed URL of a bucket.',
      `Results can be JPEG XL, up to ${limits.jxlOutputPixels / 1e6} megapixels.`,
    ],
  },
  {
    date: '2026-11-23',
    version: '1.1.0',
    changes: [
      'Every plan includes a sandbox key.',
      'Requests with the placeholder or the preview of a key get an error that says so.',
    ],
  },
  {
    date: '2026-11-21',
    version: '1.0.0',
    changes: [
      'Image processing from form uploads, raw request bodies, base64, and URLs.',
      'Jobs, batches, dry runs, and estimates. Canceling a job is free until `free_cancel_until`.',
      'A sandbox with its own keys, and test triggers for common errors.',
      'Idempotency keys, cached results at no charge, and headers with your remaining credits.',
      'Webhooks that follow the Standard Webhooks specification, and an event feed.',
      'SDKs for Node.js, Python, PHP, and Go, and the `uprez` command line.',
    ],
  },
] as const;

/** Version of the API, not of the product. */
export const apiVersion: string = changelog[0].version;
