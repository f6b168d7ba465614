import { limits } from '@uprez/contracts/policy/limits';

/** Texts of the examples. Backticks mark code. */
export const codeMessages = {
  copyCode: 'Copy the code',
  copy: (name: string) => `Copy: ${name}`,
  language: 'Language of the examples',
  keyIsPreview: (preview: string, name: string) => `Put your key in the place of ${name}: ${preview}, whole.`,
  keyIsMissing: (name: string) => `Put your key in the place of ${name}.`,
  secretIsMissing: (name: string) => `Put the secret of your endpoint in the place of ${name}.`,
  getKey: 'Get a key',
  examples: {
    upscale: {
      title: 'Enlarge a file',
      text: 'Sends `photo.jpg`, looks again until it is ready, and saves the result.',
    },
    url: {
      title: 'An image from the web, cut to a size',
      text: `We fetch the image: \`https\` only, from the public internet. \`fit\` \`cover\` fills the box and cuts the overhang off evenly.`,
    },
    batch: {
      title: 'Many images at once',
      text: `Up to ${limits.batchItems} images with the same settings. One that fails leaves the others alone; all results come as one archive.`,
    },
    'dry-run': {
      title: 'Ask before you pay',
      text: 'Checks the image and tells the size, the time and the units. Nothing is made or charged.',
    },
    retry: {
      title: 'Repeat safely',
      text: `With an \`Idempotency-Key\` the same call may be sent again for ${limits.idempotencyHours} hours: it makes one image and charges one unit. Repeat after 429, 5xx and lost connections, as late as \`Retry-After\` says; anything else needs a change, and \`hint\` says which. The programs print the key they use: give it to them to go on after a crash.`,
    },
    webhook: {
      title: 'Check a webhook',
      text: 'Whoever knows your address can send you something. The signature tells ours from theirs: `webhook-signature` is made with the secret of the endpoint over the headers `webhook-id` and `webhook-timestamp` and the body, byte for byte. Refuse what is older than five minutes with 400.',
    },
  },
} as const;
