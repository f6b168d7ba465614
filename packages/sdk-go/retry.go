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

const longestWait = time.Minute

// pause is how long to wait after a failed attempt, counted from 0: what the answer asks for, else longer each time.
func pause(attempt int, retryAfter string) time.Duration {
	asked, known := readRetryAfter(retryAfter)
	if known {
		return asked
	}
	return jitter(500*time.Millisecond<<attempt, 0.5, 1)
}

func readRetryAfter(text string) (time.Duration, bool) {
	var asked time.Duration
	if seconds, err := strconv.ParseFloat(text, 64); err == nil {
		asked = time.Duration(seconds * float64(time.Second))
	} else if date, err := http.ParseTime(text); err == nil {
		asked = time.Until(date)
	} else {
		return 0, false
	}
	if asked < 0 {
		asked = 0
	}
	if asked > longestWait {
		asked = longestWait
	}
	return asked, true
}

// jitter is a random part of a time, between two shares of it.
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
		panic(fmt.Sprintf("uprez: no random numbers: %v", err))
	}
	return hex.EncodeToString(random[:])
}
