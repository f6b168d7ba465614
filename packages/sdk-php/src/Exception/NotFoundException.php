<?php

declare(strict_types=1);

namespace Uprez\Exception;

/** 404: the job or batch doesn't exist. */
final class NotFoundException extends ApiException
{
}
