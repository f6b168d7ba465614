import { type RawBuilder, sql } from 'kysely';

/** An image of the media library, by whose version pages load it. */
export type FeaturedImage = { id: string; version: number; width: number; height: number; alt: string };

/** The featured image of the table that a query names `alias`. Null: none, or a deleted file. */
export const featuredImageOf = (alias: 'articles' | 'draft'): RawBuilder<FeaturedImage | null> =>
  sql<FeaturedImage | null>`(
    select jsonb_build_object('id', id, 'version', version, 'width', width, 'height', height, 'alt', alt)
    from media where id = ${sql.ref(`${alias}.featuredMediaId`)} and deleted_at is null)`;
