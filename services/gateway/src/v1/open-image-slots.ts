import { imageUrls } from '@uprez/contracts/policy/image-urls';
import { imageNotReady } from '@uprez/domain/image-urls/image-not-ready';
import type { ImageSlots } from '@uprez/domain/image-urls/make-image';
import { makeSemaphore } from '../features/uploads/make-semaphore.ts';

const maxImages = imageUrls.fetchSlots + imageUrls.fetchQueue;

/**
 * Makes a few images of each account at once, and lets few more wait. Throws `image_not_ready` beyond that, and for images
 * that waited longer than any client. `close` waits for the images that are being made.
 */
export function openImageSlots(): ImageSlots & { close: () => Promise<void> } {
  const enter = makeSemaphore(imageUrls.fetchSlots);
  const accounts = new Map<string, Map<string, Promise<void>>>();
  return {
    run: ({ accountId, hash }, task) => {
      const images = accounts.get(accountId) ?? new Map<string, Promise<void>>();
      const running = images.get(hash);
      if (running) return running;
      if (images.size >= maxImages) return Promise.reject(imageNotReady());
      const latestMs = performance.now() + imageUrls.queueSeconds * 1_000;
      const made = enter(accountId, async () => {
        if (performance.now() > latestMs) throw imageNotReady();
        await task();
      }).finally(() => {
        images.delete(hash);
        if (images.size === 0) accounts.delete(accountId);
      });
      // Clients may have left before it fails.
      made.catch(() => undefined);
      accounts.set(accountId, images.set(hash, made));
      return made;
    },
    close: async () => {
      await Promise.allSettled([...accounts.values()].flatMap((images) => [...images.values()]));
    },
  };
}
