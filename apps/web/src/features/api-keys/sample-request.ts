import { routes } from '@uprez/contracts/endpoints/routes';
import type { ApiKeyView } from '@uprez/contracts/schemas/api-keys';
import { makeFirstRequest } from '../../ui/code/first-request.ts';
import { toPlainText } from '../../ui/code/lines.ts';

/** A curl request that tests a key: it processes an image, or gets the account if the key has no such scope. */
export const sampleRequest = ({ scopes }: Pick<ApiKeyView, 'scopes'>, origin: string, key: string): string =>
  scopes.includes('process')
    ? toPlainText(makeFirstRequest(origin, key))
    : `curl ${origin}${routes.v1Account.path} \\\n  -H "Authorization: Bearer ${key}"`;
