import { routes } from '@uprez/contracts/endpoints/routes';
import type { ApiKeyView } from '@uprez/contracts/schemas/api-keys';
import { makeFirstRequest } from '../../ui/code/first-request.ts';
import { textOf } from '../../ui/code/lines.ts';

/** A request that shows whether a key works, with curl: an image, or the account where the key makes none. */
export const sampleRequest = ({ scopes }: Pick<ApiKeyView, 'scopes'>, origin: string, key: string): string =>
  scopes.includes('process')
    ? textOf(makeFirstRequest(origin, key))
    : `curl ${origin}${routes.v1Account.path} \\\n  -H "Authorization: Bearer ${key}"`;
