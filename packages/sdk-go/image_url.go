package uprez

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"sort"
	"strings"
	"time"
)

// ImageURLSigner signs URLs of processed images, for the src of an <img>. Keep the secret on your server.
type ImageURLSigner struct {
	// KeyID defaults to UPREZ_IMAGE_KEY_ID.
	KeyID string
	// Secret defaults to UPREZ_IMAGE_SECRET.
	Secret string
	// BaseURL is the URL of the service, without /v1. It defaults to UPREZ_URL.
	BaseURL string
}

// Sign returns the signed URL of a processed image. It makes no request. url is the https URL of the original, on a host
// that you have allowed. The URL stops working at expiresAt, or never if that is zero.
func (s ImageURLSigner) Sign(url string, options *Options, expiresAt time.Time) (string, error) {
	keyID, secret := orEnv(s.KeyID, "UPREZ_IMAGE_KEY_ID"), orEnv(s.Secret, "UPREZ_IMAGE_SECRET")
	baseURL := orEnv(s.BaseURL, "UPREZ_URL")
	if keyID == "" || secret == "" || baseURL == "" {
		return "", errors.New("uprez: set KeyID, Secret, and BaseURL, or UPREZ_IMAGE_KEY_ID, UPREZ_IMAGE_SECRET, and UPREZ_URL")
	}
	given, err := options.pairs()
	if err != nil {
		return "", err
	}
	parts := append([]string{"k:" + keyID}, given...)
	if !expiresAt.IsZero() {
		parts = append(parts, fmt.Sprintf("exp:%d", expiresAt.Unix()))
	}
	path := "/" + strings.Join(parts, ",") + "/" + base64.RawURLEncoding.EncodeToString([]byte(url))
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(path))
	signature := base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
	return trimBaseURL(baseURL) + "/v1/img/" + signature + path, nil
}

func orEnv(value, name string) string {
	if value != "" {
		return value
	}
	return os.Getenv(name)
}

// pairs returns the options as name:value in the order of their declaration, so that equal options have equal URLs.
func (o *Options) pairs() ([]string, error) {
	if o == nil {
		return nil, nil
	}
	text, err := json.Marshal(o)
	if err != nil {
		return nil, err
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if _, err := decoder.Token(); err != nil {
		return nil, err
	}
	var pairs []string
	for decoder.More() {
		name, err := decoder.Token()
		if err != nil {
			return nil, err
		}
		value, err := decoder.Token()
		if err != nil {
			return nil, err
		}
		pairs = append(pairs, pair(fmt.Sprint(name), value))
	}
	names := make([]string, 0, len(o.Extra))
	for name := range o.Extra {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		pairs = append(pairs, pair(name, o.Extra[name]))
	}
	return pairs, nil
}

// pair leaves out the number sign of a color, which would end the path.
func pair(name string, value any) string {
	return name + ":" + strings.TrimLeft(fmt.Sprint(value), "#")
}
