package uprez

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
)

// transport makes the calls: the key, retries, errors.
type transport struct {
	key        string
	baseURL    string
	maxRetries int
	client     *http.Client
}

// request is one call. path: of the API, or a signed link. body: sent as JSON.
type request struct {
	method string
	path   string
	query  url.Values
	header http.Header
	body   any
	image  *Image
}

// call makes a call that is answered with JSON; the answer's headers.
func (t *transport) call(ctx context.Context, asked request, into any) (http.Header, error) {
	var header http.Header
	err := t.send(ctx, asked, func(response *http.Response) error {
		header = response.Header
		text, err := io.ReadAll(response.Body)
		if err != nil {
			return &ConnectionError{err}
		}
		if json.Unmarshal(text, into) != nil {
			detail := "the answer is not as expected: is this the address of the API?"
			return &APIError{Status: response.StatusCode, Code: "unexpected_answer", Detail: detail}
		}
		return nil
	})
	return header, err
}

// download streams what lies at a path into a file, which appears once it is whole; its bytes.
func (t *transport) download(ctx context.Context, path, target string) (int64, error) {
	partial := target + ".part"
	defer os.Remove(partial)
	var size int64
	err := t.send(ctx, request{method: "GET", path: path}, func(response *http.Response) error {
		file, err := os.Create(partial)
		if err != nil {
			return err
		}
		size, err = copyBody(file, response)
		return firstError(err, file.Close())
	})
	if err != nil {
		return 0, err
	}
	return size, os.Rename(partial, target)
}

// stream is download into a writer: what breaks off is not tried again.
func (t *transport) stream(ctx context.Context, path string, target io.Writer) (int64, error) {
	var size int64
	var broken error
	err := t.send(ctx, request{method: "GET", path: path}, func(response *http.Response) error {
		size, broken = copyBody(target, response)
		return nil
	})
	return size, firstError(err, broken)
}

// copyBody copies an answer's body: an error of the connection is told from one of the target.
func copyBody(target io.Writer, response *http.Response) (int64, error) {
	watched := &watchedReader{Reader: response.Body}
	size, err := io.Copy(target, watched)
	if watched.err != nil {
		return size, &ConnectionError{watched.err}
	}
	return size, err
}

type watchedReader struct {
	io.Reader
	err error
}

func (r *watchedReader) Read(into []byte) (int, error) {
	n, err := r.Reader.Read(into)
	if err != nil && err != io.EOF {
		r.err = err
	}
	return n, err
}

// send makes a call, again where that helps, and has its good answer read.
func (t *transport) send(ctx context.Context, asked request, read func(*http.Response) error) error {
	for attempt := 0; ; attempt++ {
		retryAfter, err := t.once(ctx, asked, read)
		if err == nil || !isTransient(err) || ctx.Err() != nil {
			return err
		}
		if attempt >= t.maxRetries || (asked.image != nil && asked.image.isOnce) {
			return err
		}
		if err := sleep(ctx, pause(attempt, retryAfter)); err != nil {
			return err
		}
	}
}

func isTransient(err error) bool {
	var broken *ConnectionError
	if errors.As(err, &broken) {
		return true
	}
	var refused *APIError
	if !errors.As(err, &refused) {
		return false
	}
	switch refused.Status {
	case 429, 500, 502, 503, 504:
		return true
	}
	return false
}

// once makes one attempt; what its answer says in Retry-After.
func (t *transport) once(ctx context.Context, asked request, read func(*http.Response) error) (string, error) {
	made, sent, err := t.build(ctx, asked)
	if err != nil {
		return "", err
	}
	response, err := t.client.Do(made)
	if sent != nil && (asked.image == nil || !asked.image.isOnce) {
		defer func() { <-sent.done }()
	}
	if err != nil {
		return "", &ConnectionError{err}
	}
	defer response.Body.Close()
	if response.StatusCode >= 300 {
		return response.Header.Get("Retry-After"), readError(response)
	}
	return "", read(response)
}

func (t *transport) build(ctx context.Context, asked request) (*http.Request, *body, error) {
	address, isLink := asked.path, strings.Contains(asked.path, "://")
	if !isLink {
		address = t.baseURL + asked.path
	}
	if len(asked.query) > 0 {
		address += "?" + asked.query.Encode()
	}
	content, kind, err := asked.content()
	if err != nil {
		return nil, nil, err
	}
	// An interface that holds a nil *body would be a body.
	var reader io.Reader
	if content != nil {
		reader = content
	}
	made, err := http.NewRequestWithContext(ctx, asked.method, address, reader)
	if err != nil {
		if content != nil {
			content.Close()
		}
		return nil, nil, err
	}
	if asked.header != nil {
		made.Header = asked.header.Clone()
	}
	made.Header.Set("User-Agent", "uprez-go/"+Version)
	// A signed link needs no key, and may lead to another host.
	if !isLink {
		made.Header.Set("Authorization", "Bearer "+t.key)
	}
	if content != nil {
		made.ContentLength = content.size
		made.Header.Set("Content-Type", kind)
	}
	return made, content, nil
}

// content is what a call sends, and its type.
func (r request) content() (*body, string, error) {
	if r.image != nil {
		content, err := r.image.open()
		return content, "application/octet-stream", err
	}
	if r.body == nil {
		return nil, "", nil
	}
	text, err := json.Marshal(r.body)
	return newBody(bytes.NewReader(text), int64(len(text)), nil), "application/json", err
}

func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
