import type { ShownImage } from '@uprez/contracts/schemas/content/media';
import clsx from 'clsx';

type PostImageProps = {
  image: ShownImage;
  /** The width that the image takes on screens, for the choice of its version. */
  sizes: string;
  className?: string;
};

/** The featured image of a post. Its size is known before it is loaded, so nothing shifts. */
export const PostImage = ({ image: { src, srcset, width, height, alt }, sizes, className }: PostImageProps) => (
  <img
    {...{ src, srcSet: srcset, sizes, width, height }}
    alt={alt}
    decoding="async"
    className={clsx('h-auto w-full rounded-control bg-sunken', className)}
  />
);
