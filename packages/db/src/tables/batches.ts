import type { Recipe } from '@uprez/contracts/recipe/recipe';
import type { Generated, JSONColumnType } from 'kysely';

/** Images that are processed alike; its state is that of its items. */
export type BatchesTable = {
  id: string;
  accountId: string;
  recipe: JSONColumnType<Recipe>;
  surface: Generated<'web' | 'api'>;
  /** Whose monthly cap its units count for. */
  apiKeyId: string | null;
  /** Nothing of it is counted or charged. */
  isSandbox: Generated<boolean>;
  /** No format was asked for, so what is transparent becomes a PNG. */
  keepsAlpha: Generated<boolean>;
  createdAt: Generated<Date>;
  cancelledAt: Date | null;
  /** When items that never came are given up. */
  expiresAt: Date;
};
