import { limits } from '@uprez/contracts/policy/limits';

/** Texts of code examples. Backticks mark code. */
export const codeMessages = {
  copyCode: 'Copy code',
  copy: (name: string) => `Copy ${name}`,
  language: 'Language',
  keyIsPreview: (preview: string, name: string) => `Replace ${name} with your full key ${preview}.`,
  keyIsMissing: (name: string) => `Replace ${name} with your API key.`,
  secretIsMissing: (name: string) => `Replace ${name} with the signing secret of your endpoint.`,
  getKey: 'Get an API key',
  examples: {
    upscale: {
      title: 'Upscale an image',
      text: 'Send `photo.jpg`, poll the job until it completes, and save the result.',
    },
    url: {
      title: 'Fetch an image from a URL and crop it',
      text: 'The URL must be a public `https` URL. `fit=cover` fills the box and crops the image evenly.',
    },
    batch: {
      title: 'Process a batch',
      text: `Process up to ${limits.batchItems} images with the same options. Failed images don't affect the others. Download all results as one ZIP.`,
    },
    'dry-run': {
      title: 'Estimate with a dry run',
      text: 'Check an image and get the result size, time, and credits. The image is not processed or charged.',
    },
    retry: {
      title: 'Retry safely',
      text: `With an \`Idempotency-Key\`, you can repeat a request for ${limits.idempotencyHours} hours without processing or charging the image twice. Retry after 429, 5xx, and connection errors, and wait as long as \`Retry-After\` says. Other errors need a change, which \`hint\` describes. To resume after a crash, pass the key that the example prints.`,
    },
    webhook: {
      title: 'Verify a webhook',
      text: 'Verify that a request comes from us. `webhook-signature` signs the headers `webhook-id` and `webhook-timestamp` and the raw body with the secret of your endpoint. Reject requests older than 5 minutes with 400.',
    },
  },
} as const;
