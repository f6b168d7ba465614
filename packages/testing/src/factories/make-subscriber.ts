import { randomUUID } from 'node:crypto';
import type { Topic } from '@uprez/contracts/policy/newsletter';
import type { StatusService } from '@uprez/contracts/policy/status';
import type { Db } from '@uprez/db/database';

type Facts = { topics?: Topic[]; services?: StatusService[] };

/** Creates confirmed subscribers (`reader-0-...`, `reader-1-...`). Returns their IDs and email addresses. */
export async function makeSubscribers(
  db: Db,
  count: number,
  { topics = ['news'], services = [] }: Facts = {},
): Promise<{ id: string; email: string }[]> {
  const rows = Array.from({ length: count }, (_, index) => {
    const id = randomUUID();
    return { id, email: `reader-${index}-${id}@readers.example`, topics, services };
  });
  const confirmed = { state: 'confirmed', source: 'blog', confirmedAt: new Date() } as const;
  for (let start = 0; start < rows.length; start += 500)
    await db
      .insertInto('subscribers')
      .values(rows.slice(start, start + 500).map((row) => ({ ...row, ...confirmed })))
      .execute();
  return rows.map(({ id, email }) => ({ id, email }));
}
