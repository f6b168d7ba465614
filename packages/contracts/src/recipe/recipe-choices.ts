/** `fit`: the whole image inside the box, enlarged where needed · `inside`: the same, never enlarged · `cover`: the box filled, the overhang cut off evenly. */
export const fits = ['fit', 'cover', 'inside'] as const;
/** `copyright`: author, copyright and licence fields only. */
export const metadataChoices = ['none', 'copyright', 'all'] as const;
/** The ways to ask for a size; only `width` and `height` go together. */
export const sizeFields = ['scaleFactor', 'width', 'height', 'longSide', 'shortSide', 'megapixels'] as const;
