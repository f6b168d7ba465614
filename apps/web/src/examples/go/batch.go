package main

import (
	"bytes"
	"encoding/json"
	"io"
	"log"
	"mime/multipart"
	"net/http"
	"os"
	"time"
)

type Batch struct {
	Status    string `json:"status"`
	StatusURL string `json:"status_url"`
	ZipURL    string `json:"zip_url"`
}

func call(method, url, contentType string, body io.Reader) []byte {
	request, err := http.NewRequest(method, url, body)
	check(err)
	request.Header.Set("Authorization", "Bearer YOUR_API_KEY")
	request.Header.Set("Content-Type", contentType)
	response, err := http.DefaultClient.Do(request)
	check(err)
	defer response.Body.Close()
	content, err := io.ReadAll(response.Body)
	check(err)
	if response.StatusCode >= 400 {
		log.Fatal(string(content))
	}
	return content
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func main() {
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	check(form.WriteField("scale", "2"))
	for _, name := range []string{"photo.jpg", "second.jpg"} {
		part, err := form.CreateFormFile("images", name)
		check(err)
		image, err := os.ReadFile(name)
		check(err)
		_, err = part.Write(image)
		check(err)
	}
	check(form.Close())

	var batch Batch
	response := call("POST", "https://uprez.example/v1/batches", form.FormDataContentType(), &body)
	check(json.Unmarshal(response, &batch))
	for batch.Status == "active" {
		time.Sleep(time.Second)
		check(json.Unmarshal(call("GET", batch.StatusURL, "", nil), &batch))
	}
	check(os.WriteFile("images.zip", call("GET", batch.ZipURL, "", nil), 0o644))
}
