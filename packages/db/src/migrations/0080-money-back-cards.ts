import type { AnyMigration } from '../online-migrations.ts';
import { runAll } from '../run-all.ts';

/**
 * The cards whose payments were refunded under the money-back guarantee, so that each is refunded for one account only. First
 * yearly payments from before this migration are refunded whatever was used (`findUsedPercent`).
 */
export const moneyBackCards: AnyMigration = {
  up: runAll([
    `create table money_back_cards (
      card_digest text primary key,
      call_id uuid,
      refunded_at timestamptz,
      check ((call_id is null) = (refunded_at is not null))
    )`,
  ]),
  down: runAll(['drop table money_back_cards']),
};
