import { limits } from '@uprez/contracts/policy/limits';
import { useId, useState } from 'react';
import { useDebounced } from '../../../lib/browser/use-debounced.ts';
import { formatDate } from '../../../lib/format/format.ts';
import { TextField } from '../../../ui/controls/text-field.tsx';
import { QueryView, Skeleton } from '../../../ui/feedback/query-view.tsx';
import { campaignMessages } from './messages.ts';
import { usePublishedPosts } from './queries.ts';

const text = campaignMessages.create;
const quietMs = 300;

type PostPickerProps = { title: string; value: string; onChange: (id: string) => void; error: string | undefined };

/** Asks for a published post: one of the latest, or of those that match a text, which is `title` at first. */
export function PostPicker({ title, value, onChange, error }: PostPickerProps) {
  const id = useId();
  const [typed, setTyped] = useState(title);
  const query = usePublishedPosts(useDebounced(typed.trim(), quietMs));
  return (
    <div className="grid gap-3">
      <TextField
        label={text.search}
        type="search"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        // Enter would create the campaign.
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
        maxLength={limits.searchLength}
        autoComplete="off"
      />
      <fieldset aria-describedby={error && id}>
        <legend className="sr-only">{text.posts}</legend>
        <QueryView
          query={query}
          skeleton={<Skeleton className="h-40" />}
          empty={<p className="py-6 text-center text-muted text-sm">{text.noPosts}</p>}
        >
          {(posts) => (
            <div className="grid max-h-72 divide-y divide-line overflow-y-auto rounded-control border border-line">
              {posts.map((post) => (
                <label
                  key={post.id}
                  className="flex min-h-11 items-center gap-3 px-3 py-2 text-sm -outline-offset-2 hover:bg-sunken has-focus-visible:outline-2 has-focus-visible:outline-focus"
                >
                  <input
                    type="radio"
                    name={id}
                    checked={post.id === value}
                    onChange={() => onChange(post.id)}
                    className="size-4 shrink-0 accent-accent"
                  />
                  <span className="min-w-0 flex-1 wrap-anywhere">{post.title}</span>
                  {post.publishedAt && (
                    <span className="shrink-0 text-muted text-xs">{formatDate(post.publishedAt)}</span>
                  )}
                </label>
              ))}
            </div>
          )}
        </QueryView>
        {error && (
          <p id={id} className="mt-1.5 text-danger text-sm">
            {error}
          </p>
        )}
      </fieldset>
    </div>
  );
}
