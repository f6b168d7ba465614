import type { FastifyRequest } from 'fastify';

const publicApi = /^\/v1(?:\/|\?|$)/;

/** Whether a request is one of the public API's, known routes or not. */
export const isV1 = (request: Pick<FastifyRequest, 'url'>): boolean => publicApi.test(request.url);

/** The public API is the same under `/api/v1`. */
export const rewriteUrl = ({ url = '/' }: { url?: string | undefined }): string =>
  url.replace(/^\/api(?=\/v1(?:\/|\?|$))/, '');
