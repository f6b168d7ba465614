import { endpoints } from '@uprez/contracts/endpoints/endpoints';
import { type RouteName, routes } from '@uprez/contracts/endpoints/routes';
import { errorCodes, isErrorCode } from '@uprez/contracts/errors/error-codes';
import { universalErrors } from '@uprez/contracts/errors/error-groups';
import { errorCodeHeader, problemMediaType, problemSchema, v1ProblemSchema } from '@uprez/contracts/errors/problem';
import { expect } from 'vitest';
import * as z from 'zod';

const table = (Object.keys(routes) as RouteName[]).map((name) => {
  const { method, path } = routes[name];
  return { name, method, pattern: new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`) };
});

const findRoute = (method: string, path: string) =>
  table.find((row) => row.method === method && row.pattern.test(path))?.name;

/** Headers required in every response, errors included. */
export function checkSecurityHeaders(headers: Headers): void {
  expect(headers.get('content-security-policy')).toContain("default-src '");
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('x-frame-options')?.toLowerCase()).toBe('deny');
  expect(headers.get('referrer-policy')).toBeTruthy();
  expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  expect(headers.get('x-powered-by')).toBeNull();
}

async function checkError(name: RouteName, response: Response): Promise<void> {
  const code = response.headers.get(errorCodeHeader) ?? '';
  expect([...endpoints[name].errors, ...universalErrors], `${name} answered ${response.status}`).toContain(code);
  if (isErrorCode(code)) expect(response.status).toBe(errorCodes[code].status);
  const type = response.headers.get('content-type');
  const body = await response.text();
  if (type === problemMediaType) {
    const schema = /^\/(v1\/|mcp$)/.test(routes[name].path) ? v1ProblemSchema : problemSchema;
    expect(z.strictObject(schema.shape).parse(JSON.parse(body))).toMatchObject({
      code,
      status: response.status,
    });
  } else {
    expect(type).toBe('text/plain; charset=utf-8');
    expect(body).not.toBe('');
  }
}

/** Checks a response against the contract: status, exact fields of the body, error code, and headers. */
async function checkAnswer(name: RouteName, response: Response): Promise<void> {
  checkSecurityHeaders(response.headers);
  if (response.status >= 400 && !response.headers.get('content-type')?.includes('/json'))
    return checkError(name, response);
  const answers: Record<number, z.ZodType> = endpoints[name].answers;
  const schema = answers[response.status];
  if (!schema || !response.headers.get('content-type')?.startsWith('application/json')) return;
  const body: unknown = await response.json();
  expect(schema.parse(body)).toEqual(body);
}

/** Returns a fetch that checks each response of a contract route. */
export function makeCheckedFetch(inner: typeof fetch): typeof fetch {
  return async (input, init) => {
    const response = await inner(input, init);
    const name = findRoute(init?.method ?? 'GET', new URL(String(input)).pathname);
    const streams = response.headers.get('content-type')?.startsWith('text/event-stream');
    if (name && !streams) await checkAnswer(name, response.clone());
    return response;
  };
}
