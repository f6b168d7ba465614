import { randomUUID } from 'node:crypto';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { makeImage } from '@uprez/testing/make-image';
import type { SignedIn } from '@uprez/testing/sign-up';
import sharp from 'sharp';
import { expect, onTestFinished, vi } from 'vitest';
import { clearTabData } from '../../src/lib/session/account-data.ts';
import { openPage } from './open-page.tsx';

/** The formats that browsers show, by their names in sharp. */
const shownFormats = ['jpeg', 'png', 'webp', 'gif'];

/** Lets pages read the sizes of images, which happy-dom doesn't decode. Clears the tab's data after the test. */
export function decodeImages(): void {
  onTestFinished(clearTabData);
  const files = new Map<string, Blob>();
  class ObjectUrls extends URL {
    static override createObjectURL(file: Blob): string {
      const url = `blob:${randomUUID()}`;
      files.set(url, file);
      return url;
    }
    static override revokeObjectURL(url: string): void {
      files.delete(url);
    }
  }
  class DecodedImage {
    onload = () => {};
    onerror = () => {};
    naturalWidth = 0;
    naturalHeight = 0;
    set src(url: string) {
      void this.#decode(files.get(url));
    }
    async #decode(file = new Blob()): Promise<void> {
      const read = sharp(new Uint8Array(await file.arrayBuffer())).metadata();
      const { format = '', width, pageHeight, height } = await read.catch(() => ({ width: 0, height: 0 }) as never);
      if (!shownFormats.includes(format)) return this.onerror();
      Object.assign(this, { naturalWidth: width, naturalHeight: pageHeight ?? height });
      this.onload();
    }
  }
  vi.stubGlobal('URL', ObjectUrls);
  vi.stubGlobal('Image', DecodedImage);
}

/** Opens the home page without an image. The page can read the sizes of images. */
export async function openHome(account?: SignedIn): Promise<UserEvent> {
  decodeImages();
  const user = await openPage('/', account);
  await screen.findByRole('button', { name: /^Choose image/ });
  return user;
}

export const makeFile = (name: string, type: string, content: Uint8Array | string = '') =>
  new File([typeof content === 'string' ? content : new Uint8Array(content)], name, { type });

/** Ignores the input's suggested types, because browsers let users choose other types. */
export const chooseFiles = (...files: File[]) =>
  fireEvent.change(screen.getByLabelText('Image file'), { target: { files } });

/** Chooses an image on the home page, and waits for its options. */
export async function chooseImage(name: string, image: Parameters<typeof makeImage>[0]): Promise<void> {
  chooseFiles(makeFile(name, `image/${image.format ?? 'png'}`, await makeImage(image)));
  await screen.findByRole('img', { name: `Preview of ${name}` });
  await screen.findByRole('button', { name: 'Process image' });
}

/** Waits until the main content contains a text, which may span elements. */
export const findInMain = (text: string | RegExp): Promise<unknown> =>
  waitFor(() => expect(screen.getByRole('main')).toHaveTextContent(text));
