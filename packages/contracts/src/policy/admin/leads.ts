/** `sent`: a checkout link was sent. */
export const leadStates = ['open', 'sent'] as const;
export type LeadState = (typeof leadStates)[number];

/** Sort orders of the leads. A minus means descending. The first one is the default. */
export const leadSorts = ['-created', 'created'] as const;
export type LeadSort = (typeof leadSorts)[number];
