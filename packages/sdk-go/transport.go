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

// transport sends requests: authentication, retries, and errors.
type transport struct {
	key        string
	baseURL    string
	maxRetries int
	client     *http.Client
}

// request is a request. path is a path of the API or a signed URL. body is sent as JSON.
type request struct {
	method string
	path   string
	query  url.Values
	header http.Header
	body   any
	image  *Image
	// isUnsafe requests are not repeated if their outcome is unknown.
	isUnsafe bool
}

// call sends a request, parses the JSON response unless into is nil, and returns its headers.
func (t *transport) call(ctx context.Context, req request, into any) (http.Header, error) {
	var header http.Header
	err := t.send(ctx, req, func(response *http.Response) error {
		header = response.Header
		if into == nil {
			return nil
		}
		text, err := io.ReadAll(response.Body)
		if err != nil {
			return &ConnectionError{err}
		}
		if json.Unmarshal(text, into) != nil {
			detail := "the response is not valid JSON: check the base URL"
			return &APIError{Status: response.StatusCode, Code: "unexpected_answer", Detail: detail}
		}
		return nil
	})
	return header, err
}

// download downloads a path to a file, which appears when it is complete. It returns the number of bytes.
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

// open opens the content of a path. It doesn't retry after an interruption.
func (t *transport) open(ctx context.Context, path string) (io.ReadCloser, error) {
	var opened *watchedReader
	err := t.send(ctx, request{method: "GET", path: path}, func(response *http.Response) error {
		opened = &watchedReader{ReadCloser: response.Body}
		// The caller closes the body.
		response.Body = http.NoBody
		return nil
	})
	if err != nil {
		return nil, err
	}
	return opened, nil
}

// stream downloads a path to a writer. It doesn't retry after an interruption.
func (t *transport) stream(ctx context.Context, path string, target io.Writer) (int64, error) {
	content, err := t.open(ctx, path)
	if err != nil {
		return 0, err
	}
	defer content.Close()
	return io.Copy(target, content)
}

// read returns the content of a path.
func (t *transport) read(ctx context.Context, path string) ([]byte, error) {
	var content bytes.Buffer
	err := t.send(ctx, request{method: "GET", path: path}, func(response *http.Response) error {
		content.Reset()
		_, err := copyBody(&content, response)
		return err
	})
	return content.Bytes(), err
}

// copyBody copies the body of a response. It returns a *ConnectionError only for errors of the connection.
func copyBody(target io.Writer, response *http.Response) (int64, error) {
	return io.Copy(target, &watchedReader{ReadCloser: response.Body})
}

// watchedReader returns a *ConnectionError for errors of the connection.
type watchedReader struct{ io.ReadCloser }

func (r *watchedReader) Read(into []byte) (int, error) {
	n, err := r.ReadCloser.Read(into)
	if err != nil && err != io.EOF {
		err = &ConnectionError{err}
	}
	return n, err
}

// send sends a request, retries it after transient errors, and reads the successful response.
func (t *transport) send(ctx context.Context, req request, read func(*http.Response) error) error {
	for attempt := 0; ; attempt++ {
		retryAfter, err := t.once(ctx, req, read)
		if err == nil || !isTransient(err) || ctx.Err() != nil {
			return err
		}
		if req.isUnsafe && !hasStatus(err, http.StatusTooManyRequests) {
			return err
		}
		if attempt >= t.maxRetries || isTooLong(retryAfter) || (req.image != nil && req.image.isOnce) {
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
	var apiErr *APIError
	if !errors.As(err, &apiErr) {
		return false
	}
	switch apiErr.Status {
	case 429, 500, 502, 503, 504:
		return true
	}
	return false
}

// once makes one attempt and returns the value of Retry-After.
func (t *transport) once(ctx context.Context, req request, read func(*http.Response) error) (string, error) {
	httpReq, sent, err := t.build(ctx, req)
	if err != nil {
		return "", err
	}
	response, err := t.client.Do(httpReq)
	if sent != nil && (req.image == nil || !req.image.isOnce) {
		defer func() { <-sent.done }()
	}
	if err != nil {
		return "", &ConnectionError{err}
	}
	// A function, because read may replace the body.
	defer func() { response.Body.Close() }()
	if response.StatusCode >= 300 {
		return response.Header.Get("Retry-After"), readError(response)
	}
	return "", read(response)
}

func (t *transport) build(ctx context.Context, req request) (*http.Request, *body, error) {
	fullURL, isSigned := req.path, strings.Contains(req.path, "://")
	if !isSigned {
		fullURL = t.baseURL + req.path
	}
	if len(req.query) > 0 {
		fullURL += "?" + req.query.Encode()
	}
	content, kind, err := req.content()
	if err != nil {
		return nil, nil, err
	}
	// A nil *body in an interface is not a nil io.Reader.
	var reader io.Reader
	if content != nil {
		reader = content
	}
	httpReq, err := http.NewRequestWithContext(ctx, req.method, fullURL, reader)
	if err != nil {
		if content != nil {
			content.Close()
		}
		return nil, nil, err
	}
	if req.header != nil {
		httpReq.Header = req.header.Clone()
	}
	httpReq.Header.Set("User-Agent", "uprez-go/"+Version)
	// A signed URL needs no API key, and may point to another host.
	if !isSigned {
		httpReq.Header.Set("Authorization", "Bearer "+t.key)
	}
	if content != nil {
		httpReq.ContentLength = content.size
		httpReq.Header.Set("Content-Type", kind)
	}
	return httpReq, content, nil
}

// content returns the body of a request and its content type.
func (r request) content() (*body, string, error) {
	if r.image != nil {
		content, err := r.image.open()
		return content, r.image.contentType(), err
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
