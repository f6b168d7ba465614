import { mailPages } from '@uprez/contracts/pages';

export const tabNames = ['start', 'reference', 'examples', 'sdks'] as const;
export type TabName = (typeof tabNames)[number];

/** Where keys are made. */
export const keysPath = mailPages.apiKeys;
export const signInPath = mailPages.auth;
