import type { PostCard } from '@uprez/contracts/schemas/content/posts';
import { postPath } from '@uprez/contracts/texts/pages';
import { Link } from 'react-router';
import { PostImage } from '../../ui/article/post-image.tsx';
import { blogMessages as text } from './messages.ts';
import { PostCategories, PostFacts } from './post-facts.tsx';

const TitleLink = ({ post }: { post: PostCard }) => (
  <Link to={postPath(post.slug)} className="hover:underline underline-offset-4">
    {post.title}
  </Link>
);

/** The post at the top of the blog. */
export const FeaturedPost = ({ post }: { post: PostCard }) => (
  <article className="grid gap-3 rounded-card border border-line bg-surface p-5 sm:p-8">
    {post.image && <PostImage image={post.image} sizes="(min-width: 60rem) 54rem, 100vw" className="mb-2" />}
    <p className="font-medium text-muted text-xs">{text.featured}</p>
    <h2 className="text-lg wrap-anywhere sm:text-xl">
      <TitleLink post={post} />
    </h2>
    {post.excerpt && <p className="max-w-180 text-muted wrap-anywhere">{post.excerpt}</p>}
    <PostFacts post={post} />
    <PostCategories categories={post.categories} />
  </article>
);

export const PostItem = ({ post }: { post: PostCard }) => (
  <article className="grid gap-2 py-6 sm:flex sm:items-start sm:justify-between sm:gap-6">
    {post.image && (
      <PostImage
        image={post.image}
        sizes="(min-width: 40rem) 13rem, 100vw"
        className="mb-1 sm:order-last sm:w-52 sm:shrink-0"
      />
    )}
    <div className="grid min-w-0 gap-2">
      <h2 className="text-lg wrap-anywhere">
        <TitleLink post={post} />
      </h2>
      {post.excerpt && <p className="max-w-180 text-muted wrap-anywhere">{post.excerpt}</p>}
      <PostFacts post={post} />
      <PostCategories categories={post.categories} />
    </div>
  </article>
);
