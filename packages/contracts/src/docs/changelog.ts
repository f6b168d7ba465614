/** Changes of the public API, newest first. */
export const changelog = [
  {
    date: '2026-11-21',
    version: '1.0.0',
    changes: [
      'Process images sent as a form, as the request body, as base64, or by URL.',
      'Jobs, batches, dry runs, and estimates.',
      'A sandbox with test keys and file names that trigger each error.',
      'Idempotency keys, cached results at no charge, and headers with your remaining credits.',
      'Webhooks signed according to Standard Webhooks, and an event feed.',
      'SDKs for Node.js, Python, PHP, and Go, and the `uprez` command line.',
    ],
  },
] as const;
