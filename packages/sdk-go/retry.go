package uprez

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"net/http"
	"strconv"
	"time"
)

// maxWait is the longest Retry-After after which a request is retried.
const maxWait = time.Minute

// isTooLong returns whether Retry-After is that of an hourly or daily limit.
func isTooLong(retryAfter string) bool {
	delay, known := readRetryAfter(retryAfter)
	return known && delay > maxWait
}

// pause returns how long to wait after an attempt, starting with 0: the value of Retry-After, or exponential
// backoff, with jitter.
func pause(attempt int, retryAfter string) time.Duration {
	delay, known := readRetryAfter(retryAfter)
	if known {
		return delay + jitter(250*time.Millisecond, 0, 1)
	}
	return jitter(500*time.Millisecond<<attempt, 0.5, 1)
}

func readRetryAfter(text string) (time.Duration, bool) {
	var delay time.Duration
	if seconds, err := strconv.ParseFloat(text, 64); err == nil {
		delay = time.Duration(seconds * float64(time.Second))
	} else if date, err := http.ParseTime(text); err == nil {
		delay = time.Until(date)
	} else {
		return 0, false
	}
	if delay < 0 {
		delay = 0
	}
	return delay, true
}

// jitter returns a random duration between low and high times whole.
func jitter(whole time.Duration, low, high float64) time.Duration {
	var random [8]byte
	if _, err := rand.Read(random[:]); err != nil {
		return whole
	}
	share := float64(binary.LittleEndian.Uint64(random[:])>>11) / (1 << 53)
	return time.Duration(float64(whole) * (low + share*(high-low)))
}

func sleep(ctx context.Context, pause time.Duration) error {
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

func newIdempotencyKey() string {
	var random [16]byte
	if _, err := rand.Read(random[:]); err != nil {
		panic(fmt.Sprintf("uprez: couldn't generate an idempotency key: %v", err))
	}
	return hex.EncodeToString(random[:])
}
