<?php

declare(strict_types=1);

namespace Uprez;

/** Options of a processing request. See the API reference. */
final class Options
{
    /** @param array<string, string|int|float|bool> $extra options that this package doesn't support yet */
    public function __construct(
        public readonly int|float|null $scale = null,
        public readonly ?int $width = null,
        public readonly ?int $height = null,
        public readonly ?string $fit = null,
        public readonly ?int $longSide = null,
        public readonly ?int $shortSide = null,
        public readonly int|float|null $megapixels = null,
        public readonly ?string $engine = null,
        public readonly ?string $detail = null,
        public readonly ?int $strength = null,
        /** Content of a PNG file. */
        public readonly ?string $mask = null,
        public readonly ?string $format = null,
        public readonly ?int $quality = null,
        public readonly ?int $targetBytes = null,
        public readonly ?int $grain = null,
        public readonly ?string $edges = null,
        public readonly ?string $alpha = null,
        public readonly ?bool $neverLarger = null,
        public readonly ?string $background = null,
        public readonly ?string $metadata = null,
        public readonly ?bool $preserveMetadata = null,
        public readonly ?bool $gps = null,
        public readonly ?int $dpi = null,
        public readonly ?bool $keepDpi = null,
        public readonly ?string $printProfile = null,
        public readonly int|float|null $retention = null,
        public readonly ?bool $cache = null,
        public readonly ?string $webhookUrl = null,
        public readonly array $extra = [],
    ) {
    }

    /**
     * Make the fields of a request.
     *
     * @return array<string, string|int|float|bool>
     */
    public function toFields(): array
    {
        $fields = [];
        foreach (get_object_vars($this) as $name => $value) {
            if ($name !== 'extra' && $value !== null) {
                $field = strtolower((string) preg_replace('/[A-Z]/', '_$0', $name));
                $fields[$field] = $name === 'mask' ? base64_encode($value) : $value;
            }
        }
        return [...$fields, ...$this->extra];
    }
}
