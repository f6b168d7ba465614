<?php

declare(strict_types=1);

namespace Uprez;

/** The estimated result and cost of an image with the given properties. */
final class Estimate
{
    public readonly int $width;
    public readonly int $height;
    public readonly ?float $bytes;
    public readonly ?float $seconds;
    public readonly int $units;
    public readonly string $meter;
    /** The limit that the job would exceed; null if it would be accepted. */
    public readonly ?Limit $limit;

    /**
     * @internal
     *
     * @param array<string, mixed> $data
     */
    public function __construct(array $data)
    {
        $this->width = $data['width'];
        $this->height = $data['height'];
        $this->bytes = isset($data['bytes']) ? (float) $data['bytes'] : null;
        $this->seconds = isset($data['seconds']) ? (float) $data['seconds'] : null;
        $this->units = $data['units'];
        $this->meter = $data['meter'];
        $this->limit = isset($data['limit']) ? new Limit($data['limit']) : null;
    }
}
