<?php

declare(strict_types=1);

namespace Uprez;

/** Size of an image in pixels, and of its file in bytes. */
final class Size
{
    public function __construct(
        public readonly int $width,
        public readonly int $height,
        public readonly int $fileSize,
    ) {
    }

    /** @param array<string, int>|null $data */
    public static function of(?array $data): ?self
    {
        return $data === null ? null : new self($data['width'], $data['height'], $data['file_size']);
    }
}
