import type { ApiKeyView } from '@uprez/contracts/schemas/api-keys';

/** A key that was just made, with all of it; lives in the state of a component and nowhere else. */
export type NewSecret = { secret: string; key: ApiKeyView /** The key it replaces. */; former?: ApiKeyView };
