/**
 * `fit`: fits the whole image in the box, upscaling if needed. `inside`: like `fit`, but never upscales. `cover`: fills
 * the box and crops evenly.
 */
export const fitModes = ['fit', 'cover', 'inside'] as const;
/** `copyright`: author, copyright, and license fields only. */
export const metadataChoices = ['none', 'copyright', 'all'] as const;
/** `wrap`: the opposite border continues the image beyond each edge, as in a seamless texture. */
export const edgeModes = ['clamp', 'wrap'] as const;
/** `data`: alpha is a channel of data, such as roughness or height, and doesn't make pixels invisible. */
export const alphaModes = ['transparency', 'data'] as const;
/**
 * Look of images that are upscaled with AI. `faithful`: the network works at a size that keeps all detail. `crisp`: it
 * works at a smaller size, which makes outlines sharper in less time, but may lose the finest detail.
 */
export const detailModes = ['faithful', 'crisp'] as const;
export type DetailMode = (typeof detailModes)[number];
/** Fields that set the size; only `width` and `height` can be combined. */
export const sizeFields = ['scaleFactor', 'width', 'height', 'longSide', 'shortSide', 'megapixels'] as const;
