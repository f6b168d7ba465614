import type { Endpoint } from '../../endpoints/endpoint.ts';
import { alwaysErrors } from '../../errors/always-errors.ts';
import { type ErrorCode, errorCodes } from '../../errors/error-codes.ts';
import { errorHints } from '../../errors/error-hints.ts';
import { problemMediaType } from '../../errors/problem.ts';
import { documentationPage } from '../../texts/pages.ts';
import { v1AnswerHeaders } from '../../v1/headers.ts';
import { type Answer, type Reference, refer } from './open-api.ts';

/** Groups the error codes of an endpoint by status. */
export function errorsByStatus({ errors }: Endpoint): [status: number, codes: ErrorCode[]][] {
  const statuses = new Map<number, ErrorCode[]>();
  for (const code of [...new Set<ErrorCode>([...errors, ...alwaysErrors])].toSorted()) {
    const { status } = errorCodes[code];
    statuses.set(status, [...(statuses.get(status) ?? []), code]);
  }
  return [...statuses].toSorted(([a], [b]) => a - b);
}

/** Makes an example of an error response. */
function exampleOf(code: ErrorCode, publicUrl: string) {
  const { status, title } = errorCodes[code];
  const hint = errorHints[code];
  return {
    code,
    status,
    detail: title,
    ...(hint && { hint }),
    request_id: v1AnswerHeaders['X-Request-Id'].example,
    documentation_url: `${publicUrl}${documentationPage}#${code}`,
  };
}

/** Makes the error response for codes that share a status. */
export function errorAnswer(
  codes: readonly ErrorCode[],
  headers: Record<string, Reference>,
  publicUrl: string,
): Answer {
  const schema = {
    allOf: [refer('schemas', 'Problem')],
    properties: { code: { enum: [...codes] } },
  };
  const examples = Object.fromEntries(codes.map((code) => [code, { value: exampleOf(code, publicUrl) }]));
  return {
    description: codes.map((code) => `\`${code}\`: ${errorCodes[code].title}`).join('\n\n'),
    headers,
    content: { [problemMediaType]: { schema, examples } },
  };
}
