import type { Recipe } from '@uprez/contracts/recipe';
import type { Generated, JSONColumnType } from 'kysely';

/** Pictures that are processed alike; its state is that of its items. */
export type BatchesTable = {
  id: string;
  account_id: string;
  recipe: JSONColumnType<Recipe>;
  surface: Generated<'web' | 'api'>;
  created_at: Generated<Date>;
  cancelled_at: Date | null;
  /** When items that never came are given up. */
  expires_at: Date;
};
