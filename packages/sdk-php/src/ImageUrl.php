<?php

declare(strict_types=1);

namespace Uprez;

use DateTimeInterface;
use InvalidArgumentException;

/** Signed URLs of processed images. */
final class ImageUrl
{
    /**
     * Return a signed URL of a processed image, for the src of an <img>. Makes no request. Keep the secret on your server.
     *
     * @param string                 $url       https URL of the original, on a host that you have allowed
     * @param DateTimeInterface|null $expiresAt when the URL stops working; default: never
     * @param string|null            $keyId     default: UPREZ_IMAGE_KEY_ID
     * @param string|null            $secret    default: UPREZ_IMAGE_SECRET
     * @param string|null            $baseUrl   without /v1; default: UPREZ_URL
     */
    public static function sign(
        string $url,
        ?Options $options = null,
        ?DateTimeInterface $expiresAt = null,
        ?string $keyId = null,
        ?string $secret = null,
        ?string $baseUrl = null,
    ): string {
        $keyId = $keyId ?? (string) getenv('UPREZ_IMAGE_KEY_ID');
        $secret = $secret ?? (string) getenv('UPREZ_IMAGE_SECRET');
        $baseUrl = $baseUrl ?? (string) getenv('UPREZ_URL');
        if ($keyId === '' || $secret === '' || $baseUrl === '') {
            throw new InvalidArgumentException(
                'Pass keyId, secret, and baseUrl, or set UPREZ_IMAGE_KEY_ID, UPREZ_IMAGE_SECRET, and UPREZ_URL.',
            );
        }
        $fields = ['k' => $keyId, ...($options?->toFields() ?? [])];
        if ($expiresAt !== null) {
            $fields['exp'] = $expiresAt->getTimestamp();
        }
        $parts = [];
        foreach ($fields as $name => $value) {
            // The number sign of a color would end the path.
            $parts[] = $name . ':' . ltrim(is_bool($value) ? ($value ? 'true' : 'false') : (string) $value, '#');
        }
        $path = '/' . implode(',', $parts) . '/' . self::encode($url);
        $signature = self::encode(hash_hmac('sha256', $path, $secret, true));
        return Transport::trimBaseUrl($baseUrl) . '/v1/img/' . $signature . $path;
    }

    private static function encode(string $bytes): string
    {
        return rtrim(strtr(base64_encode($bytes), '+/', '-_'), '=');
    }
}
