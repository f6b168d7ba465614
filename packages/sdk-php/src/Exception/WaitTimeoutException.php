<?php

declare(strict_types=1);

namespace Uprez\Exception;

/** The timeout passed before the work ended. Processing continues. */
final class WaitTimeoutException extends UprezException
{
}
