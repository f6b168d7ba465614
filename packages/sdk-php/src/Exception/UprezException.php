<?php

declare(strict_types=1);

namespace Uprez\Exception;

use RuntimeException;
use Throwable;

/** Base class of all exceptions of this package. The documentation explains each `errorCode`. */
class UprezException extends RuntimeException
{
    public function __construct(string $message, public readonly string $errorCode, ?Throwable $previous = null)
    {
        parent::__construct($message, 0, $previous);
    }
}
