<?php

declare(strict_types=1);

namespace Uprez\Exception;

/** 401: the API key is missing, invalid, disabled, or expired. */
final class AuthenticationException extends ApiException
{
}
