import type { Migration } from 'kysely';
import { runAll } from '../run-all.ts';

/** Finds the subscribers that share a mailbox. The expression is that of queries/newsletter/mailboxes.ts. */
export const subscriberMailboxes: Migration = {
  up: runAll([
    `create index subscribers_mailbox on subscribers ((
      case when lower(email) ~ '@(gmail|googlemail)[.]com$'
        then replace(regexp_replace(lower(email), '([+].*)?@.*$', ''), '.', '') || '@gmail.com'
        else regexp_replace(lower(email), '[+].*@', '@') end))`,
  ]),
  down: runAll(['drop index subscribers_mailbox']),
};
