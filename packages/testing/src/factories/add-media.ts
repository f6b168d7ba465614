import { randomUUID } from 'node:crypto';
import type { Db } from '@uprez/db/database';

/** Adds a file to the media library, without its content. */
export async function addMedia(
  db: Db,
  { kind = 'image', alt = '' }: { kind?: 'image' | 'document'; alt?: string } = {},
): Promise<{ id: string; url: string }> {
  const id = randomUUID();
  const image = { name: 'harbor.png', type: 'image/png', width: 800, height: 400 } as const;
  const file =
    kind === 'image' ? image : ({ name: 'terms.pdf', type: 'application/pdf', width: null, height: null } as const);
  await db
    .insertInto('media')
    .values({ ...file, id, alt, size: 1_000 })
    .execute();
  return { id, url: `/media/${id}` };
}
