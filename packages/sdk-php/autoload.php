<?php

declare(strict_types=1);

// Class loader for projects without Composer.
spl_autoload_register(static function (string $class): void {
    if (str_starts_with($class, 'Uprez\\')) {
        $file = __DIR__ . '/src/' . str_replace('\\', '/', substr($class, 6)) . '.php';
        if (is_file($file)) {
            require $file;
        }
    }
});
