<?php

declare(strict_types=1);

namespace Uprez\Exception;

/** 401: the key is missing, unknown, switched off or expired. */
final class AuthenticationException extends ApiException
{
}
