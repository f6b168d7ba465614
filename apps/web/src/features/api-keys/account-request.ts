import { routes } from '@uprez/contracts/routes';

/** A request that shows whether a key works: the account it belongs to, asked for with curl. */
export const accountRequest = (origin: string, key: string): string =>
  `curl ${origin}${routes.v1Account.path} \\\n  -H "Authorization: Bearer ${key}"`;
