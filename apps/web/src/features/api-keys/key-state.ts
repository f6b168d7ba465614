import { limits } from '@uprez/contracts/policy/limits';
import type { ApiKeyView } from '@uprez/contracts/schemas/api-keys';

/** Returns the state of a key. `expired` takes precedence over `inactive`. */
export function keyStateOf({ isExpired, isActive, replacedBy }: ApiKeyView) {
  if (isExpired) return 'expired';
  if (!isActive) return 'inactive';
  return replacedBy === null ? 'active' : 'replaced';
}

/** Whether an unexpired key has not been used for `limits.apiKeyUnusedDays`. */
export function isUnused(key: ApiKeyView, now: number): boolean {
  if (key.isExpired) return false;
  return now - Date.parse(key.lastUsed ?? key.createdAt) >= limits.apiKeyUnusedDays * 86_400_000;
}
