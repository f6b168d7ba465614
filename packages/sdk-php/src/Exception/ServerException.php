<?php

declare(strict_types=1);

namespace Uprez\Exception;

/** 5xx: the service failed, after all retries. */
final class ServerException extends ApiException
{
}
