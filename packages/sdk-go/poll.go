package uprez

import (
	"context"
	"net/url"
	"strconv"
	"time"
)

const (
	firstPoll   = 250 * time.Millisecond
	longestPoll = 5 * time.Second
)

// poll polls at increasing intervals until the value is final.
func poll[T interface{ IsFinal() bool }](ctx context.Context, last T, ask func() (T, error)) (T, error) {
	for wait := firstPoll; !last.IsFinal(); {
		if err := sleep(ctx, jitter(wait, 0.8, 1.2)); err != nil {
			return last, err
		}
		newer, err := ask()
		if err != nil {
			return last, err
		}
		last = newer
		if wait += wait / 2; wait > longestPoll {
			wait = longestPoll
		}
	}
	return last, nil
}

func pageQuery(place, from string, limit int) url.Values {
	query := url.Values{}
	if from != "" {
		query.Set(place, from)
	}
	if limit > 0 {
		query.Set("limit", strconv.Itoa(limit))
	}
	return query
}
