/** Content types that `POST /v1/process` can respond with, besides those of specific image formats. */
export const resultTypes = {
  json: 'application/json',
  images: 'image/*',
  octets: 'application/octet-stream',
  events: 'text/event-stream',
} as const;
