import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { ApiError, JobFailedError, UprezError } from '@uprez/sdk-node';
import { ToolError } from '../tool-error.ts';

/** The result of a tool that failed: what is wrong, the limit and the value, and what to do. Throws unexpected errors. */
export function presentError(error: unknown): CallToolResult {
  if (!(error instanceof ToolError || error instanceof UprezError)) throw error;
  const text = error instanceof ApiError ? describeApiError(error) : describeOther(error);
  return { content: [{ type: 'text', text }], isError: true };
}

const describeOther = (error: Error): string =>
  error instanceof JobFailedError ? `${error.message}\ncode: ${error.code}\njob_id: ${error.job.id}` : error.message;

const show = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

/** The names of the facts are those that hints refer to. */
function describeApiError(error: ApiError): string {
  const { message, hint, code, param, got, allowed, maxScale, requestId } = error;
  const { max_factor: _, ...meta } = error.meta;
  const facts = [
    ...Object.entries({ code, param, sent: got, allowed }),
    ...Object.entries(meta).map(([name, value]) => [`meta.${name}`, value] as const),
    ...Object.entries({ max_scale: maxScale, request_id: requestId }),
  ];
  const lines = facts.filter(([, value]) => value !== undefined).map(([name, value]) => `${name}: ${show(value)}`);
  return [[message, hint].filter(Boolean).join(' '), ...lines].join('\n');
}
