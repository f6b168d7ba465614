import { readableFormats } from '@uprez/contracts/policy/image-formats';
import { limits } from '@uprez/contracts/policy/limits';

/** Texts of the documentation. Backticks mark code; `[label](url)` marks a link. */
export const documentationMessages = {
  title: 'Documentation',
  lead: `Make images larger from your own programs: one call with an image and a factor, the result back.`,
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
    none: (query: string) => `Nothing here is called "${query}".`,
    results: (count: number) => `${count} found`,
    kinds: { part: 'Part', call: 'Call', parameter: 'Parameter', header: 'Header', error: 'Error', example: 'Example' },
  },
  answer: 'Answer',
  start: {
    first: {
      title: 'Your first image',
      text: `Save an image as \`photo.jpg\`, run this beside it, and find \`upscaled.jpg\`, four times as wide and as high. Only what comes with each language is used.`,
      reads: `Images may be ${readableFormats}.`,
    },
    key: {
      title: 'Get a key',
      steps: (plans: string) => [
        `Choose a plan with the API: ${plans}. The [prices](/pricing) are the same for web and API.`,
        `Make a key under [API Keys](/dashboard?tab=api-keys). It is shown once; we keep only its fingerprint.`,
        `A key of the kind "Test" works in the [sandbox](/documentation?tab=reference#sandbox): small images that cost nothing.`,
      ],
    },
    address: {
      title: 'Where the API is',
      text: (address: string) =>
        `Every call begins with \`${address}/v1\`. The same calls answer under \`/api/v1\`. Send the key as \`Authorization: Bearer YOUR_API_KEY\`; never put it into a page or an app that others can read.`,
    },
    answer: {
      title: 'What comes back',
      text: `A call waits up to ${limits.waitSeconds} seconds for its image and answers 200 with a job that has a \`download_url\`. What takes longer answers 202 with the same job, still \`queued\` or \`processing\`: ask its \`status_url\` again until \`status\` is \`completed\`. The link works without a key for ${limits.downloadLinkMinutes} minutes; each look at the job gives a fresh one.`,
      failed: `Whatever is refused says why: a code, the field, what is allowed, and what helps. See [all errors](/documentation?tab=reference#errors). An image that fails, is cancelled or is repeated costs nothing.`,
    },
    next: {
      title: 'Where to go on',
      links: [
        ['Every call and field', '/documentation?tab=reference', 'With limits, plans, errors and webhooks.'],
        ['Try calls in the browser', '/documentation/reference', 'The same, made of the OpenAPI description.'],
        ['More examples', '/documentation?tab=examples', 'Images from the web, batches, dry runs, safe repeats.'],
        ['SDKs and the command line', '/documentation?tab=sdks', 'Retries, waiting and webhook checks included.'],
      ],
      files: [
        ['OpenAPI 3.1', '/v1/openapi.json'],
        ['Postman collection', '/v1/postman.json'],
        ['llms.txt', '/llms.txt'],
      ],
    },
  },
  sdks: {
    lead: 'Small clients for four languages, without dependencies. They send and load images as streams, repeat what may be repeated, wait for results, check webhooks, and throw errors that have a type. Each is tested against the running service.',
    published: (folder: string) =>
      `It is not in the public registry yet: until then it is used from a copy of our source, here \`~/uprez\`, folder \`${folder}\`.`,
    install: 'Install',
    use: 'Enlarge a file',
    cli: {
      title: 'Command line',
      text: '`uprez` enlarges files and folders with a journal that goes on where it stopped. `--dry-run` prints what it would cost.',
      install:
        'cd ~/uprez\nnpx pnpm@12.21.0 install\nnpx tsc -b packages/cli\nln -s ~/uprez/packages/cli/bin/uprez.js ~/.local/bin/uprez',
      use: 'Ask what a folder would cost',
      commands:
        'export UPREZ_URL=https://uprez.example\nexport UPREZ_API_KEY=YOUR_API_KEY\nuprez photos --out large --scale 4 --dry-run',
    },
    packages: {
      node: { title: 'Node', needs: 'Node 20 or newer. Types included.' },
      python: { title: 'Python', needs: 'Python 3.9 or newer. Types included.' },
      php: { title: 'PHP', needs: 'PHP 8.1 or newer with curl.' },
      go: { title: 'Go', needs: 'Go 1.19 or newer.' },
    },
  },
} as const;
