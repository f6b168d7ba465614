import type { AnyMigration } from '../online-migrations.ts';
import { runAll } from '../run-all.ts';

/** The cards whose payments were refunded under the money-back guarantee, so that each is refunded for one account only. */
export const moneyBackCards: AnyMigration = {
  up: runAll([
    `create table money_back_cards (
      card_digest text primary key,
      account_id uuid not null,
      created_at timestamptz not null default now()
    )`,
  ]),
  down: runAll(['drop table money_back_cards']),
};
