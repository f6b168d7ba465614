import type { Browser } from '@playwright/test';
import { openSlowPage } from './open-slow-page.ts';

type Drop = { url: string; slowDown: number; jpeg: Buffer };

/** Drops an image on the window and returns the milliseconds until its preview is painted. Runs in the browser. */
async function drop(encoded: string): Promise<number> {
  const bytes = Uint8Array.from(atob(encoded), (char) => char.charCodeAt(0));
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File([bytes], 'harbor.jpg', { type: 'image/jpeg' }));
  const painted = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  const preview = new Promise<HTMLImageElement>((resolve) => {
    const look = () => {
      const image = document.querySelector<HTMLImageElement>('img[alt^="Preview of"]');
      if (image) resolve(image);
      else requestAnimationFrame(look);
    };
    look();
  });
  const start = performance.now();
  for (const type of ['dragenter', 'dragover', 'drop'])
    document.body.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
  const image = await preview;
  await image.decode();
  await painted();
  return Math.round(performance.now() - start);
}

/** Returns the milliseconds from a drop on the home page to the painted preview. */
export async function measureDrop(browser: Browser, { url, slowDown, jpeg }: Drop): Promise<number> {
  const page = await openSlowPage(browser, slowDown);
  await page.goto(url, { waitUntil: 'networkidle' });
  // The drop listeners are active once the drop zone is rendered.
  await page.getByRole('button', { name: /Choose image/ }).waitFor();
  const ms = await page.evaluate(drop, jpeg.toString('base64'));
  await page.context().close();
  return ms;
}
