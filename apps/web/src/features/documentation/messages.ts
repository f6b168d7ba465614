import { formatNames, inputFormats } from '@uprez/contracts/policy/image-formats';
import { limits } from '@uprez/contracts/policy/limits';
import { formatList } from '@uprez/contracts/texts/format';

const supportedFormats = formatList(inputFormats.map((name) => formatNames[name]));

/** Texts of the documentation. Backticks mark code, `[text](url)` a link. */
export const documentationMessages = {
  title: 'Documentation',
  lead: 'Upscale and resize images with one API request.',
  tabs: {
    label: 'Documentation',
    start: 'Getting Started',
    reference: 'API Reference',
    examples: 'Examples',
    sdks: 'SDKs',
  },
  outline: 'On this page',
  linkTo: (title: string) => `Link to "${title}"`,
  search: {
    label: 'Search the documentation',
    placeholder: 'Search',
    none: (query: string) => `No results for "${query}"`,
    results: (count: number) => `${count} ${count === 1 ? 'result' : 'results'}`,
    kinds: {
      part: 'Section',
      call: 'Endpoint',
      parameter: 'Parameter',
      header: 'Header',
      error: 'Error',
      example: 'Example',
    },
  },
  answer: 'Response',
  start: {
    first: {
      title: 'Your first image',
      text: 'Save an image as `photo.jpg` and run this next to it. The result, `upscaled.jpg`, is 4 times as wide and as high. The examples use only the standard library.',
      reads: `Supported formats: ${supportedFormats}.`,
    },
    key: {
      title: 'Get an API key',
      steps: (plans: string) => [
        `Choose a [plan](/pricing) with API access: ${plans}.`,
        'Create a key on the [API Keys](/dashboard?tab=api-keys) tab. It is shown only once.',
        'Create a test key to use the free [sandbox](/documentation?tab=reference#sandbox).',
      ],
    },
    address: {
      title: 'Base URL',
      text: (address: string) =>
        `The base URL is \`${address}/v1\`. \`/api/v1\` works too. Send your key in the \`Authorization: Bearer YOUR_API_KEY\` header. Never expose it in a web page or an app.`,
    },
    answer: {
      title: 'Responses',
      text: `A request waits up to ${limits.waitSeconds} seconds and returns 200 with a job that has a \`download_url\`. If the job takes longer, it returns 202 and the job is \`queued\` or \`processing\`. Poll its \`status_url\` until \`status\` is \`completed\`. The download URL works without a key for ${limits.downloadLinkMinutes} minutes. Get the job again for a new one.`,
      failed:
        'Errors have a code, the parameter, its allowed values, and a hint. See [all errors](/documentation?tab=reference#errors). Failed, canceled, and repeated jobs are not charged.',
    },
    next: {
      title: 'Next steps',
      links: [
        ['API reference', '/documentation?tab=reference', 'Endpoints, limits, errors, and webhooks.'],
        ['API explorer', '/documentation/reference', 'Try requests in your browser.'],
        ['Examples', '/documentation?tab=examples', 'Image URLs, batches, dry runs, and retries.'],
        ['SDKs and CLI', '/documentation?tab=sdks', 'With retries, polling, and webhook verification.'],
      ],
      files: [
        ['OpenAPI 3.1', '/v1/openapi.json'],
        ['Postman collection', '/v1/postman.json'],
        ['llms.txt', '/llms.txt'],
      ],
    },
  },
  sdks: {
    lead: 'Client libraries for four languages, without dependencies. They stream uploads and downloads, retry requests, poll for results, verify webhooks, and throw typed errors.',
    published: (folder: string) =>
      `This package isn't published yet. Install it from the \`${folder}\` folder of the source, here in \`~/uprez\`.`,
    install: 'Install',
    use: 'Upscale an image',
    cli: {
      title: 'Command line',
      text: '`uprez` processes files and folders and resumes where it stopped. `--dry-run` prints the cost.',
      install:
        'cd ~/uprez\nnpx pnpm@12.21.0 install\nnpx tsc -b packages/cli\nln -s ~/uprez/packages/cli/bin/uprez.js ~/.local/bin/uprez',
      use: 'Estimate the cost of a folder',
      commands:
        'export UPREZ_URL=https://uprez.example\nexport UPREZ_API_KEY=YOUR_API_KEY\nuprez photos --out large --scale 4 --dry-run',
    },
    packages: {
      node: { title: 'Node', needs: 'Node 20 or later. Includes types.' },
      python: { title: 'Python', needs: 'Python 3.9 or later. Includes types.' },
      php: { title: 'PHP', needs: 'PHP 8.1 or later with curl.' },
      go: { title: 'Go', needs: 'Go 1.19 or later.' },
    },
  },
} as const;
