/** What changed in the public API: the newest first. */
export const changelog = [
  {
    date: '2026-11-21',
    version: '1.0.0',
    changes: [
      'Images as a form, as the body, as base64 or by their address; every spelling of a field; jobs, batches, dry runs and estimates.',
      'The sandbox: test keys and `/v1/sandbox`, with file names that force each error.',
      'Idempotency keys, stored results at no charge, and headers that tell what is left.',
      'Webhooks as Standard Webhooks signs them, and the feed of events.',
      'SDKs for Node, Python, PHP and Go, and the command `uprez`.',
    ],
  },
] as const;
