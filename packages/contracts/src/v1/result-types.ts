/** What `POST /v1/process` can respond with, besides images by their own content types. */
export const resultTypes = {
  json: 'application/json',
  images: 'image/*',
  octets: 'application/octet-stream',
  events: 'text/event-stream',
} as const;
