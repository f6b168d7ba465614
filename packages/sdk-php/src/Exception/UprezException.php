<?php

declare(strict_types=1);

namespace Uprez\Exception;

use RuntimeException;
use Throwable;

/** Everything that this package throws. `errorCode` is the error's name in the documentation. */
class UprezException extends RuntimeException
{
    public function __construct(string $message, public readonly string $errorCode, ?Throwable $previous = null)
    {
        parent::__construct($message, 0, $previous);
    }
}
