<?php

declare(strict_types=1);

namespace Uprez\Exception;

/** 404: there is no such job or batch. */
final class NotFoundException extends ApiException
{
}
