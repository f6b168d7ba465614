<?php

declare(strict_types=1);

namespace Uprez\Exception;

/** No answer came, even after all retries. */
final class ConnectionFailedException extends UprezException
{
}
