import type { Receipt } from '@uprez/contracts/schemas/jobs/receipt';

/** Receipt of a local run. Unlike in the API, the engine may be a custom model. */
export type FileReceipt = Omit<Receipt, 'engine'> & { engine: string };
