import { LocalProcessor } from '../features/local/local-processor.tsx';
import { localMessages as text } from '../features/local/messages.ts';
import { documentTitle } from '../messages.ts';
import { PageHeading } from '../ui/layout/page-heading.tsx';

/** Processes images in the browser. A page of its own, because its document is cross-origin isolated. */
export function OnThisDevicePage() {
  return (
    <div className="mx-auto grid w-full max-w-300 grid-cols-[minmax(0,1fr)] content-start gap-6 px-4 py-8 sm:px-6 md:py-12">
      <div className="grid gap-2">
        <PageHeading title={documentTitle(text.heading)} className="text-xl sm:text-2xl">
          {text.heading}
        </PageHeading>
        <p className="max-w-prose text-balance text-muted">{text.lead}</p>
      </div>
      <LocalProcessor />
    </div>
  );
}
