export const codeMessages = {
  copyCode: 'Copy code',
  copy: (name: string) => `Copy ${name}`,
  language: 'Language',
  keyIsPreview: (preview: string, name: string) => `Replace ${name} with the full value of your key ${preview}.`,
  keyIsMissing: (name: string) => `Replace ${name} with your API key.`,
  secretIsMissing: (name: string) => `Replace ${name} with your endpoint's signing secret.`,
  getKey: 'Get an API key',
  examples: {
    image: 'Get the image in one call',
    upscale: 'Upscale an image',
    url: 'Fetch an image from a URL and crop it',
    batch: 'Process a batch',
    'dry-run': 'Estimate with a dry run',
    retry: 'Retry safely',
    webhook: 'Verify a webhook',
  },
} as const;
