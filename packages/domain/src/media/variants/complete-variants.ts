import { insertObjects, markStored } from '@uprez/db/queries/jobs/objects';
import { insertMediaFiles } from '@uprez/db/queries/media/media-files';
import { finishMedia } from '@uprez/db/queries/media/variant-claims';
import { objectKeys } from '@uprez/storage/object-keys';
import { uuidv7 } from 'uuidv7';
import type { Needs } from '../../context.ts';
import type { VariantWork } from './claim-variants.ts';

type Begun = { id: string; key: string; width: number };
type Stored = Begun & { sizeBytes: number; sha256: string };

/** Inserts the object rows of the WebP variants before they are written. */
export async function beginVariants({ db }: Needs<'db'>, { widths }: Pick<VariantWork, 'widths'>): Promise<Begun[]> {
  const begun = widths.map((width) => {
    const id = uuidv7();
    return { id, key: objectKeys.media(id), width };
  });
  await insertObjects(
    db,
    begun.map(({ id, key }) => ({ id, key, kind: 'media' as const })),
  );
  return begun;
}

/**
 * Adds the WebP variants to their image. Returns false if the image was replaced in the meantime or claimed by another
 * worker.
 */
export const completeVariants = (
  { db }: Needs<'db'>,
  { mediaId, version, attempt }: VariantWork,
  stored: readonly Stored[],
): Promise<boolean> =>
  db.transaction().execute(async (tx) => {
    if (!(await finishMedia(tx, { mediaId, version, attempt }))) return false;
    for (const file of stored) {
      if (!(await markStored(tx, file))) throw new Error(`The object ${file.id} was deleted before it was stored.`);
    }
    const rows = stored.map(({ id, width }) => ({ mediaId, version, width, format: 'webp', objectId: id }));
    await insertMediaFiles(tx, rows);
    return true;
  });
