import { limits } from '@uprez/contracts/policy/limits';
import type { ApiKeyView } from '@uprez/contracts/schemas/api-keys';

export type KeyState = 'active' | 'inactive' | 'expired' | 'replaced';

/** What a key is, in one word: what has ended comes before what was turned off. */
export function keyState({ isExpired, isActive, replacedBy }: ApiKeyView): KeyState {
  if (isExpired) return 'expired';
  if (!isActive) return 'inactive';
  return replacedBy === null ? 'active' : 'replaced';
}

/** Whether a key that could be used was not, for so long that it may be forgotten. */
export function isUnused(key: ApiKeyView, now: number): boolean {
  if (key.isExpired) return false;
  return now - Date.parse(key.lastUsed ?? key.createdAt) >= limits.apiKeyUnusedDays * 86_400_000;
}
