<?php

declare(strict_types=1);

namespace Uprez\Exception;

/** The wait ended before the work did, which goes on. */
final class WaitTimeoutException extends UprezException
{
}
