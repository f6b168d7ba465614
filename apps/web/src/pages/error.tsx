import { messages } from '../messages.ts';
import { Button } from '../ui/controls/button.tsx';
import { LogoMark } from '../ui/layout/logo-mark.tsx';

const text = messages.error;

/** Shown when a page throws. */
export function ErrorPage() {
  return (
    <main className="grid min-h-dvh place-content-center justify-items-center gap-3 p-6 text-center">
      <title>{messages.page.error}</title>
      <LogoMark className="size-10 text-muted" />
      <h1 className="text-xl">{text.title}</h1>
      <p className="text-muted">{text.text}</p>
      <Button className="mt-3" onClick={() => window.location.reload()}>
        {text.reload}
      </Button>
    </main>
  );
}
