import type { Recipe } from '@uprez/contracts/recipe/recipe';
import type { Generated, JSONColumnType } from 'kysely';

/** Images that are processed alike; its state is that of its items. */
export type BatchesTable = {
  id: string;
  account_id: string;
  recipe: JSONColumnType<Recipe>;
  surface: Generated<'web' | 'api'>;
  /** Whose monthly cap its units count for. */
  api_key_id: string | null;
  /** Nothing of it is counted or charged. */
  is_sandbox: Generated<boolean>;
  /** No format was asked for, so what is transparent becomes a PNG. */
  keeps_alpha: Generated<boolean>;
  created_at: Generated<Date>;
  cancelled_at: Date | null;
  /** When items that never came are given up. */
  expires_at: Date;
};
