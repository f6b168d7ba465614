import { imageUrls } from '@uprez/contracts/policy/images/image-urls';

export const imageUrlMessages = {
  title: 'Image URLs',
  intro:
    'Show processed images on your website without code that uploads them. Sign a URL on your server and use it as the source of an image.',
  settings: {
    enabled: 'Enable image URLs',
    hosts: 'Allowed hosts',
    hostsHint: `Hosts of your original images, one per line, such as images.example.com or *.example.com. Up to ${imageUrls.hosts} entries.`,
    submit: 'Save',
    pending: 'Saving...',
    saved: 'Image URLs updated',
  },
  facts: { keyId: 'Key ID', rotated: 'Secret created', former: 'Previous secret valid until' },
  rotate: {
    action: 'Rotate secret',
    title: 'Rotate the secret of image URLs?',
    text: 'This creates a new secret. Sign your URLs with it before the previous one expires.',
    overlap: 'Current secret',
    submit: 'Rotate secret',
    pending: 'Rotating...',
  },
  secret: {
    title: 'Save your secret',
    text: "Copy this secret now. You won't be able to see it again.",
    copy: 'Copy secret',
    done: "I've saved this secret",
  },
  sample: {
    title: 'Sample URL',
    imageUrl: 'Original image',
    options: 'Options',
    optionsHint: 'Options of the API as name:value, separated by commas.',
    submit: 'Sign URL',
    pending: 'Signing...',
    result: 'Signed URL',
    copy: 'Copy URL',
    open: 'Open image',
    cost: 'Opening the image costs 1 credit, at most once a day.',
  },
} as const;
