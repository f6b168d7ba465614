<?php

declare(strict_types=1);

namespace Uprez;

/** An engine that processes images. */
final class Engine
{
    public readonly string $name;
    public readonly string $meter;
    public readonly string $says;
    public readonly bool $isAuto;
    public readonly ?bool $available;
    public readonly ?string $device;
    public readonly ?float $pixelsPerSecond;

    /**
     * @internal
     *
     * @param array<string, mixed> $data
     */
    public function __construct(array $data)
    {
        $this->name = $data['name'];
        $this->meter = $data['meter'];
        $this->says = $data['says'];
        $this->isAuto = $data['is_auto'];
        $this->available = $data['available'];
        $this->device = $data['device'];
        $this->pixelsPerSecond = isset($data['pixels_per_second']) ? (float) $data['pixels_per_second'] : null;
    }
}
