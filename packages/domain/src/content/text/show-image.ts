import type { ShownImage } from '@uprez/contracts/schemas/content/media';
import { imageSourcesOf } from '@uprez/contracts/texts/media';
import type { FeaturedImage } from '@uprez/db/queries/content/public-posts';

/** A featured image as pages show it. */
export const showImage = (image: FeaturedImage | null): ShownImage | null =>
  image && { ...imageSourcesOf(image), alt: image.alt };
