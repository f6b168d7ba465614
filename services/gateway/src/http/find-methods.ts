import { routes } from '@uprez/contracts/endpoints/routes';
import { AppError } from '@uprez/contracts/errors/app-error';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

const rows = Object.values(routes).map(({ method, path }) => ({
  method,
  path,
  pattern: new RegExp(`^${path.replaceAll('.', '\\.').replace(/:\w+/g, '[^/]+')}/?$`),
}));

/** The methods of the endpoints at a URL; none if there is no endpoint. */
function findMethods(app: FastifyInstance, url: string): string[] {
  const requested = url.split(/[?#]/)[0] ?? '';
  const found = rows.filter(({ pattern }) => pattern.test(requested));
  return [
    ...new Set(
      found.flatMap(({ method, path }) =>
        method === 'GET' && app.hasRoute({ method: 'HEAD', url: path }) ? ['GET', 'HEAD'] : [method],
      ),
    ),
  ];
}

const otherVersion = /^\/(api\/)?v(?!1[/?]|1$)\d+([/?]|$)/;
const onlyVersion = 'Not found. The only version of the API is v1.';

/**
 * The error for a request that no route received: `method_not_allowed` if the URL has endpoints with other methods, which
 * `Allow` lists (RFC 9110, 15.5.6), and `not_found` otherwise.
 */
export function describeMissingRoute({ server, url, method }: FastifyRequest, reply: FastifyReply): AppError {
  const methods = findMethods(server, url).join(', ');
  if (methods === '') return new AppError('not_found', otherVersion.test(url) ? { detail: onlyVersion } : {});
  reply.header('allow', methods);
  const detail = `This URL doesn't support ${method}. Use ${methods}.`;
  return new AppError('method_not_allowed', { detail, hint: `Use ${methods}.` });
}
