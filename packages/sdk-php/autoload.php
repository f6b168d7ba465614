<?php

declare(strict_types=1);

// For projects without Composer: finds the classes of this package.
spl_autoload_register(static function (string $class): void {
    if (str_starts_with($class, 'Uprez\\')) {
        $file = __DIR__ . '/src/' . str_replace('\\', '/', substr($class, 6)) . '.php';
        if (is_file($file)) {
            require $file;
        }
    }
});
