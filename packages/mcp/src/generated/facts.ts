/** Generated from the API contracts by `npm run generate:mcp`. Do not edit. */

/** Version of this package. */
export const version = "0.1.0" as const;

/** What assistants read about the server. */
export const instructions = "Uprez upscales, resizes, and converts images. Processing an image costs 1 credit. Images that fail are not charged. Call `estimate` to see the cost, the size, and the time before you process an image, and `get_account` for the remaining credits. Processing takes from a second to minutes. If a tool returns an unfinished job, call `get_job` until it ends. Download links work for 15 minutes, and `get_job` returns a new one." as const;

/** Limits in bytes, pixels, seconds, and minutes. */
export const limits = {
  "mcpImageBytes": 500000,
  "mcpImageSide": 8000,
  "waitSeconds": 25,
  "maxWaitSeconds": 60,
  "downloadLinkMinutes": 15,
  "jsonImageBytes": 15728640
} as const;

/** Media types by format. */
export const mediaTypes = {
  "png": "image/png",
  "jpeg": "image/jpeg",
  "webp": "image/webp",
  "avif": "image/avif",
  "jxl": "image/jxl",
  "tiff": "image/tiff",
  "gif": "image/gif"
} as const;
