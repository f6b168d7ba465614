import type { ImageUrlSettings } from '@uprez/contracts/schemas/image-url-settings';
import {
  type ChangedImageUrls,
  getImageUrls,
  rotateImageUrlSecret,
  signImageUrl,
  updateImageUrls,
} from '@uprez/domain/image-urls/image-url-settings';
import type { Deps } from '../../deps.ts';
import { defineHandlers } from '../../http/contract.ts';
import { absoluteUrl } from '../../http/public-links.ts';
import type { ApiAdapter } from '../api-adapter.ts';

type StoredSettings = ChangedImageUrls['settings'];

export const imageUrlHandlers = ({ actorOf }: ApiAdapter, deps: Deps) =>
  defineHandlers({
    getImageUrls: async (request) => presentSettings(await getImageUrls(deps, { actor: await actorOf(request) })),
    updateImageUrls: async (request) =>
      presentChangedSettings(await updateImageUrls(deps, { actor: await actorOf(request), ...request.body })),
    rotateImageUrlSecret: async (request) =>
      presentChangedSettings(await rotateImageUrlSecret(deps, { actor: await actorOf(request), ...request.body })),
    signImageUrl: async (request) => {
      const path = await signImageUrl(deps, { actor: await actorOf(request), ...request.body });
      return { url: absoluteUrl(deps.config, path) };
    },
  });

const presentChangedSettings = ({ settings, secret }: ChangedImageUrls) => ({ ...presentSettings(settings), secret });

function presentSettings(settings: StoredSettings | undefined): ImageUrlSettings {
  if (!settings) return { isEnabled: false, keyId: null, hosts: [], rotatedAt: null, formerUntil: null };
  const { isEnabled, keyId, hosts, rotatedAt, formerUntil } = settings;
  return {
    isEnabled,
    keyId,
    hosts,
    rotatedAt: rotatedAt.toISOString(),
    formerUntil: formerUntil && formerUntil > new Date() ? formerUntil.toISOString() : null,
  };
}
