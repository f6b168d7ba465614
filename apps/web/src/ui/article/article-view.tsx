import type { MediaImage } from '@uprez/contracts/schemas/content/media';
import clsx from 'clsx';
import type { ReactNode } from 'react';
import { Skeleton } from '../feedback/query-view.tsx';
import { PageHeading } from '../layout/page-heading.tsx';
import { ArticleHtml } from './article-html.tsx';

type ArticleViewProps = {
  documentTitle: string;
  description?: string;
  title: string;
  excerpt: string;
  html: string;
  image?: MediaImage | null;
  /** Shown below the excerpt. */
  facts?: ReactNode;
  above?: ReactNode;
  /** Shown below the text. */
  children?: ReactNode;
};

export const ArticleView = ({ title, excerpt, html, image, facts, above, children, ...head }: ArticleViewProps) => (
  <article className="mx-auto grid w-full max-w-180 grid-cols-[minmax(0,1fr)] content-start gap-8 px-4 py-10 sm:px-6 md:py-16">
    <header className="grid gap-4">
      {above}
      <PageHeading
        title={head.documentTitle}
        {...(head.description && { description: head.description })}
        className="text-xl wrap-anywhere sm:text-2xl"
      >
        {title}
      </PageHeading>
      {excerpt && <p className="text-lg text-muted wrap-anywhere">{excerpt}</p>}
      {facts}
    </header>
    {image && <PostImage image={image} sizes="(min-width: 45rem) 42rem, 100vw" />}
    <ArticleHtml html={html} />
    {children}
  </article>
);

export const ArticleSkeleton = () => (
  <div className="mx-auto w-full max-w-180 px-4 py-10 sm:px-6 md:py-16">
    <Skeleton className="h-96" />
  </div>
);

type PostImageProps = {
  image: MediaImage;
  /** Displayed width of the image (the `sizes` attribute), from which the browser chooses a version. */
  sizes: string;
  className?: string;
};

/** Its dimensions are set before it loads, to avoid layout shifts. */
export const PostImage = ({ image: { src, srcset, width, height, alt }, sizes, className }: PostImageProps) => (
  <img
    {...{ src, srcSet: srcset, sizes, width, height }}
    alt={alt}
    decoding="async"
    className={clsx('h-auto w-full rounded-control bg-sunken', className)}
  />
);
