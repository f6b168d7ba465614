package uprez

import (
	"bytes"
	"fmt"
	"io"
	"mime/multipart"
	"os"
	"path/filepath"
)

// Image is an image to process. Create one with File, Bytes, Reader, or URL.
type Image struct {
	filename  string
	url       string
	targetURL string
	open      func() (*body, error)
	// isOnce reports whether the image can be sent only once.
	isOnce bool
	// formType is the content type of an image in a form.
	formType string
}

// File returns an image on disk. It is streamed.
func File(path string) Image {
	return Image{filename: filepath.Base(path), open: func() (*body, error) {
		file, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		facts, err := file.Stat()
		if err != nil {
			file.Close()
			return nil, err
		}
		return newBody(file, facts.Size(), file.Close), nil
	}}
}

// Bytes returns an image in memory.
func Bytes(filename string, data []byte) Image {
	return Image{filename: filename, open: func() (*body, error) {
		return newBody(bytes.NewReader(data), int64(len(data)), nil), nil
	}}
}

// Reader returns the rest of a stream as an image. If the stream isn't an io.Seeker, it is sent once, without retries.
// It is not closed.
func Reader(filename string, stream io.Reader) Image {
	seeker, ok := stream.(io.Seeker)
	if ok {
		if start, err := seeker.Seek(0, io.SeekCurrent); err == nil {
			return Image{filename: filename, open: func() (*body, error) {
				end, err := seeker.Seek(0, io.SeekEnd)
				if err != nil {
					return nil, err
				}
				if _, err := seeker.Seek(start, io.SeekStart); err != nil {
					return nil, err
				}
				return newBody(stream, end-start, nil), nil
			}}
		}
	}
	return Image{filename: filename, isOnce: true, open: func() (*body, error) {
		return newBody(stream, -1, nil), nil
	}}
}

// URL returns an image that the service fetches from an https URL.
func URL(address string) Image {
	return Image{url: address}
}

// Named returns the image with another file name.
func (i Image) Named(filename string) Image {
	i.filename = filename
	return i
}

// WithTarget returns the image of a batch whose result is uploaded with PUT to an https URL, such as a signed URL of a bucket.
func (i Image) WithTarget(targetURL string) Image {
	i.targetURL = targetURL
	return i
}

func (i Image) contentType() string {
	if i.formType != "" {
		return i.formType
	}
	return "application/octet-stream"
}

// inForm returns the image in a form with fields that are too large for the query string.
func (i Image) inForm(fields map[string]any) Image {
	var before, after bytes.Buffer
	writer := multipart.NewWriter(&before)
	for name, value := range fields {
		if name != "filename" {
			writer.WriteField(name, fmt.Sprint(value))
		}
	}
	// Writing to a buffer never fails.
	writer.CreateFormFile("image", i.filename)
	fmt.Fprintf(&after, "\r\n--%s--\r\n", writer.Boundary())
	form := i
	form.formType = writer.FormDataContentType()
	form.open = func() (*body, error) {
		image, err := i.open()
		if err != nil {
			return nil, err
		}
		size := image.size
		if size >= 0 {
			size += int64(before.Len() + after.Len())
		}
		parts := io.MultiReader(bytes.NewReader(before.Bytes()), image, bytes.NewReader(after.Bytes()))
		return newBody(parts, size, image.Close), nil
	}
	return form
}

// body is the content of one request. net/http may read it after the response has arrived. done is closed when it no
// longer does, and the stream can be rewound.
type body struct {
	io.Reader
	size  int64
	close func() error
	done  chan struct{}
}

func newBody(reader io.Reader, size int64, close func() error) *body {
	return &body{Reader: reader, size: size, close: close, done: make(chan struct{})}
}

// Close may be called twice by net/http.
func (b *body) Close() error {
	select {
	case <-b.done:
		return nil
	default:
	}
	var err error
	if b.close != nil {
		err = b.close()
	}
	close(b.done)
	return err
}
