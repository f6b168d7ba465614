import { jobChangedSchema, wakeSchema } from '@uprez/contracts/schemas/job-messages';

/** The one queue, its message and how long a published hint is worth reading. Stored names: never rename them. */
export const imageQueue = { name: 'image', message: 'wake', schema: wakeSchema } as const;
export const jobChannel = { name: (accountId: string) => `jobs:${accountId}`, schema: jobChangedSchema } as const;
