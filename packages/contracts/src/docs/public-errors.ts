import type { v1Routes } from '../endpoints/routes-v1.ts';
import { v1Endpoints } from '../endpoints/v1.ts';
import { type ErrorCode, errorCodes } from '../errors/error-codes.ts';
import { routingErrors, universalErrors } from '../errors/error-groups.ts';

/** Errors that only batch items have. */
const itemErrors = ['file_never_came'] as const satisfies readonly ErrorCode[];
const names = Object.keys(v1Endpoints) as (keyof typeof v1Routes)[];

/** Every error of the public API, sorted by status and name. */
export const publicErrorCodes: readonly ErrorCode[] = [
  ...new Set<ErrorCode>([
    ...universalErrors,
    ...routingErrors,
    ...itemErrors,
    ...names.flatMap((name): readonly ErrorCode[] => v1Endpoints[name].errors),
  ]),
].toSorted((a, b) => errorCodes[a].status - errorCodes[b].status || a.localeCompare(b));
