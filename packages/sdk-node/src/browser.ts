// biome-ignore-all lint/performance/noBarrelFile: the entry point of a published package
// The entry point for browsers. It has no API key and no Node.js modules: it downloads signed URLs.
export { downloadResult, openResult, type SignedOptions } from './download-result.ts';
export { ApiError, type ApiErrorCode, ConnectionError, type ErrorCode, UprezError } from './errors.ts';
export type * from './generated/types.ts';
