import { Download } from 'lucide-react';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { formatDateTime } from '../../lib/format/format.ts';
import { messages } from '../../messages.ts';
import { paths } from '../../site-map.ts';
import { buttonStyle, linkStyle } from '../../ui/controls/button.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { PageHeading } from '../../ui/layout/page-heading.tsx';

const text = {
  title: 'Shared image',
  alt: 'Shared image',
  until: (time: string) => `This link works until ${time}.`,
  download: 'Download',
  own: 'Upscale your own image',
  noPreview: "Your browser can't display this image. Download it to view it.",
  gone: 'This link has expired, or its image was deleted. Ask the person who sent it for a new one.',
} as const;

/** Shows a shared result to anyone who has its link. */
export function SharedPage() {
  const [params] = useSearchParams();
  const [id, exp, sig] = ['id', 'exp', 'sig'].map((name) => params.get(name));
  return (
    <div className="mx-auto grid w-full max-w-240 gap-6 px-4 py-8 sm:px-6 md:py-12">
      <PageHeading title={messages.page.shared} className="text-xl sm:text-2xl">
        {text.title}
      </PageHeading>
      {id && Number(exp) > 0 && exp && sig ? (
        <SharedImage id={id} exp={exp} sig={sig} />
      ) : (
        <Notice kind="danger">{text.gone}</Notice>
      )}
      <Link to={paths.home} className={`${linkStyle} justify-self-start px-0!`}>
        {text.own}
      </Link>
    </div>
  );
}

/** The job ID, and the expiration time and signature of its file URL. */
type SharedLink = { id: string; exp: string; sig: string };

const fileUrl = ({ id, exp, sig }: SharedLink) =>
  `/api/files/${encodeURIComponent(id)}/image?${new URLSearchParams({ exp, sig })}`;

/** A redirect also counts, because storage with its own presigned URLs responds with one. */
async function isFileAvailable(url: string): Promise<boolean> {
  const { ok, type } = await fetch(url, { method: 'HEAD', redirect: 'manual' });
  return ok || type === 'opaqueredirect';
}

type State = 'shown' | 'hidden' | 'gone';

function SharedImage(link: SharedLink) {
  const [state, setState] = useState<State>('shown');
  const url = fileUrl(link);
  const explain = async () => setState((await isFileAvailable(url).catch(() => false)) ? 'hidden' : 'gone');
  if (state === 'gone') return <Notice kind="danger">{text.gone}</Notice>;
  return (
    <div className="grid gap-4">
      {state === 'hidden' ? (
        <Notice kind="info">{text.noPreview}</Notice>
      ) : (
        <div className="grid min-h-48 place-items-center rounded-card border border-line bg-stage p-3">
          <img
            src={url}
            alt={text.alt}
            onError={() => void explain()}
            className="checkerboard max-h-[70svh] max-w-full"
          />
        </div>
      )}
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-muted text-sm tabular-nums">
          {text.until(formatDateTime(new Date(1_000 * Number(link.exp))))}
        </p>
        <a href={url} download className={buttonStyle({})}>
          <Download aria-hidden="true" strokeWidth={1.75} className="size-4" />
          {text.download}
        </a>
      </div>
    </div>
  );
}
