<?php

declare(strict_types=1);

namespace Uprez\Exception;

/** The service couldn't be reached, after all retries. */
final class ConnectionFailedException extends UprezException
{
}
