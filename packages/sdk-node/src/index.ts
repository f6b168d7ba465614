// biome-ignore-all lint/performance/noBarrelFile: the entry point of a published package
export type { ImageUrlKey, UprezOptions } from './config.ts';
export { Download } from './download.ts';
export {
  ApiError,
  type ApiErrorCode,
  ConnectionError,
  type ErrorCode,
  JobFailedError,
  type OwnErrorCode,
  UprezError,
  WaitTimeoutError,
  WebhookVerificationError,
} from './errors.ts';
export type * from './generated/types.ts';
export type { Image } from './image.ts';
export { PendingJob, type ProcessedJob } from './pending-job.ts';
export type { BatchImage, BatchOptions, MadeBatch } from './resources/batches.ts';
export { type ImageUrlOptions, signImageUrl } from './sign-image-url.ts';
export { type ProcessCall, Uprez } from './uprez.ts';
export { type VerifyOptions, verifyWebhook, type WebhookHeaders } from './verify-webhook.ts';
export type { WaitOptions } from './wait-for-end.ts';
