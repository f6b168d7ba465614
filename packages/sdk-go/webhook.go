package uprez

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Errors of Verify. Respond with 400.
var (
	ErrInvalidSignature          = errors.New("uprez: the webhook signature doesn't match")
	ErrTimestampOutsideTolerance = errors.New("uprez: the webhook timestamp is outside the tolerance")
)

// Verifier verifies webhooks (Standard Webhooks, https://www.standardwebhooks.com).
type Verifier struct {
	// Secrets are the secrets of the endpoint: one, or several during a rotation.
	Secrets []string
	// Tolerance is the maximum difference of the clocks. The default is five minutes.
	Tolerance time.Duration
	// Now returns the current time. The default is time.Now.
	Now func() time.Time
}

// Verify verifies a webhook and returns its event. payload is the unmodified request body.
func (v Verifier) Verify(payload []byte, header http.Header) (*Event, error) {
	id, timestamp := header.Get("Webhook-Id"), header.Get("Webhook-Timestamp")
	seconds, err := strconv.ParseUint(timestamp, 10, 53)
	if id == "" || err != nil {
		return nil, ErrInvalidSignature
	}
	content := append([]byte(id+"."+timestamp+"."), payload...)
	isSigned, err := v.isSigned(content, strings.Fields(strings.Join(header.Values("Webhook-Signature"), " ")))
	if err != nil {
		return nil, err
	}
	if !isSigned {
		return nil, ErrInvalidSignature
	}
	if !v.isInTime(time.Unix(int64(seconds), 0)) {
		return nil, ErrTimestampOutsideTolerance
	}
	event := &Event{}
	if err := json.Unmarshal(payload, event); err != nil {
		return nil, fmt.Errorf("uprez: the webhook is not valid JSON: %w", err)
	}
	return event, nil
}

func (v Verifier) isSigned(content []byte, signatures []string) (bool, error) {
	isSigned := false
	for _, secret := range v.Secrets {
		key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
		if err != nil || len(key) == 0 {
			return false, errors.New(`uprez: a webhook secret is "whsec_" followed by base64`)
		}
		mac := hmac.New(sha256.New, key)
		mac.Write(content)
		expected := []byte("v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil)))
		for _, signature := range signatures {
			isSigned = hmac.Equal(expected, []byte(signature)) || isSigned
		}
	}
	return isSigned, nil
}

func (v Verifier) isInTime(sent time.Time) bool {
	now, tolerance := time.Now, v.Tolerance
	if v.Now != nil {
		now = v.Now
	}
	if tolerance == 0 {
		tolerance = 5 * time.Minute
	}
	difference := now().Sub(sent)
	return difference <= tolerance && -difference <= tolerance
}
