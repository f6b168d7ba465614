<?php

declare(strict_types=1);

namespace Uprez;

/** The estimated result and cost of an image. */
final class DryRun
{
    public readonly int $width;
    public readonly int $height;
    public readonly float $bytes;
    public readonly float $seconds;
    public readonly string $format;
    public readonly int $quality;
    public readonly string $engine;
    public readonly int $units;
    public readonly string $meter;
    /** @var list<string> */
    public readonly array $notes;

    /**
     * @internal
     *
     * @param array<string, mixed> $data
     */
    public function __construct(array $data)
    {
        $this->width = $data['width'];
        $this->height = $data['height'];
        $this->bytes = (float) $data['bytes'];
        $this->seconds = (float) $data['seconds'];
        $this->format = $data['format'];
        $this->quality = $data['quality'];
        $this->engine = $data['engine'];
        $this->units = $data['units'];
        $this->meter = $data['meter'];
        $this->notes = $data['notes'];
    }
}
