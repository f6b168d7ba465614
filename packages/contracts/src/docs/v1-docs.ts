import type { EndpointDocs } from '../endpoints/endpoint.ts';
import { limits } from '../policy/limits.ts';
import { sandbox } from '../policy/sandbox.ts';
import {
  v1BulkFormSchema,
  v1EstimateFormSchema,
  v1FieldsSchema,
  v1ImageSchema,
  v1ItemFormSchema,
  v1NewBatchFormSchema,
  v1ProcessFormSchema,
  v1ProcessJsonSchema,
} from '../v1/forms.ts';

const imageBody = { 'image/*': v1ImageSchema, 'application/octet-stream': v1ImageSchema };
const form = 'multipart/form-data';
const json = 'application/json';

/** What the documentation says of calls whose schemas do not tell all. */
export const v1Docs = {
  process: {
    text: [
      'The image comes in one of four ways: as the file `image` of a form; as the body itself; as base64 in `image` of a JSON body; or from an `https` address in `image_url`, which is fetched. Only the image is required.',
      'The fields may be in the form, in the JSON body, or in the address of the call. Each has one name that is used in answers, and others that are understood as well; two of them with different values are refused (`conflicting_params`), and so is a name that there is not (`invalid_parameter`). Nothing is changed silently: what is decided for you stands in `notes`.',
      `The size is asked for in one way: \`scale_factor\`, \`width\` and/or \`height\`, \`long_side\`, \`short_side\` or \`megapixels\`. What is left out is made as a JPEG of quality 85, twice as large; as a PNG where the image has transparency and no format was named.`,
      `The call waits up to ${limits.waitSeconds} seconds for the result (200), else it answers with the job (202): ask for it at \`status_url\`. \`Prefer: respond-async\` or \`async=true\` do not wait at all. A job that fails while you wait answers with its error, and nothing is charged.`,
    ].join('\n\n'),
    reads: { [form]: v1ProcessFormSchema, ...imageBody, [json]: v1ProcessJsonSchema },
    fields: v1FieldsSchema,
    takes: ['Idempotency-Key', 'Prefer'],
    tells: ['X-Job-Id', 'Location', 'X-Cache', 'Preference-Applied'],
  },
  job: {
    text: `\`download_url\` is made anew with each answer and works without a key for ${limits.downloadLinkMinutes} minutes.`,
    tells: ['X-Job-Id'],
  },
  deleteJob: {
    text: 'A job that waits or runs is cancelled, and its unit is given back; a finished one loses its files at once, which is confirmed by their digests.',
    tells: ['X-Job-Id'],
  },
  file: {
    text: 'The address is that of `download_url`. No key is needed: the signature is one.',
    takes: ['Range'],
    sends: 'image/*',
    also: {
      302: 'The file lies at another address.',
      304: 'The caller has these very bytes (`If-None-Match`).',
      416: 'The file has no such bytes.',
    },
  },
  batches: {
    text: [
      'As JSON the batch is announced, and each file is sent to the `upload_url` of its item (201). An item with an `image_url` is fetched from there instead, and needs no name. As a form it brings all of its files, repeated in `images` (200 when all are finished within the wait, else 202).',
      `A batch has at most ${limits.batchItems} files. Units for all of them are reserved, or none; with \`accept_partial\` as many as there are units for.`,
    ].join('\n\n'),
    reads: { [json]: v1NewBatchFormSchema, [form]: v1BulkFormSchema },
    takes: ['Idempotency-Key', 'Prefer'],
    tells: ['Location'],
  },
  putItem: {
    text: 'May be repeated until the file has been accepted. Where the image cannot be used, the call is refused and the item has failed.',
    reads: { ...imageBody, [form]: v1ItemFormSchema },
  },
  zip: { sends: 'application/zip' },
  csv: { sends: 'text/csv' },
  estimate: {
    text: 'By the facts of an image, without the image itself. `width` and `height` are the image’s own; what shall become of it are the other fields, those of `/v1/process`, and a size in pixels goes into `target`. A refusal is part of the answer, in `limit`. `dry_run=true` at `/v1/process` tells the same of an image that is sent.',
    reads: { [json]: v1EstimateFormSchema },
  },
  account: { text: `Calls under \`${sandbox.prefix}\` and those with test keys take nothing.` },
  document: { text: 'Needs no key.' },
} as const satisfies Record<string, EndpointDocs>;
