export const shareMessages = {
  title: 'Shared image',
  alt: 'Shared image',
  until: (time: string) => `This link works until ${time}.`,
  download: 'Download',
  own: 'Upscale your own image',
  noPreview: "Your browser can't display this image. Download it to view it.",
  gone: 'This link has expired, or its image was deleted. Ask the person who sent it for a new one.',
} as const;
