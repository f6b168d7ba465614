export const tabNames = ['start', 'reference', 'examples', 'sdks'] as const;
export type TabName = (typeof tabNames)[number];
