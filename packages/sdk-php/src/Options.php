<?php

declare(strict_types=1);

namespace Uprez;

/** What can be asked of an image; each parameter is explained in the documentation. */
final class Options
{
    /** @param array<string, string|int|float|bool> $extra parameters newer than this package, sent as they are */
    public function __construct(
        public readonly int|float|null $scale = null,
        public readonly ?int $width = null,
        public readonly ?int $height = null,
        public readonly ?string $fit = null,
        public readonly ?int $longSide = null,
        public readonly ?int $shortSide = null,
        public readonly int|float|null $megapixels = null,
        public readonly ?string $engine = null,
        public readonly ?string $format = null,
        public readonly ?int $quality = null,
        public readonly ?int $targetBytes = null,
        public readonly ?string $background = null,
        public readonly ?string $metadata = null,
        public readonly ?bool $preserveMetadata = null,
        public readonly ?bool $gps = null,
        public readonly int|float|null $retention = null,
        public readonly ?bool $cache = null,
        public readonly ?string $webhookUrl = null,
        public readonly array $extra = [],
    ) {
    }

    /**
     * The fields of a call, as the API spells them.
     *
     * @return array<string, string|int|float|bool>
     */
    public function toFields(): array
    {
        $fields = [];
        foreach (get_object_vars($this) as $name => $value) {
            if ($name !== 'extra' && $value !== null) {
                $fields[strtolower((string) preg_replace('/[A-Z]/', '_$0', $name))] = $value;
            }
        }
        return [...$fields, ...$this->extra];
    }
}
