package main

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strconv"
	"time"
)

type Job struct {
	Status      string `json:"status"`
	StatusURL   string `json:"status_url"`
	DownloadURL string `json:"download_url"`
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func try(method, url string, body []byte, key string) (*http.Response, error) {
	request, err := http.NewRequest(method, url, bytes.NewReader(body))
	check(err)
	request.Header.Set("Authorization", "Bearer YOUR_API_KEY")
	if key != "" {
		request.Header.Set("Content-Type", "image/jpeg")
		request.Header.Set("Idempotency-Key", key)
	}
	return http.DefaultClient.Do(request)
}

// canRetry returns whether to retry a request, and after how many seconds.
func canRetry(response *http.Response, err error, attempt int) (bool, int) {
	if err != nil {
		return true, 1 << attempt
	}
	pause, err := strconv.Atoi(response.Header.Get("Retry-After"))
	if err != nil {
		pause = 1 << attempt
	}
	// A longer pause is that of a daily limit.
	return pause <= 60 && (response.StatusCode == 429 || response.StatusCode >= 500), pause
}

func send(method, url string, body []byte, key string) (job Job) {
	response, err := try(method, url, body, key)
	for attempt := 1; attempt < 5; attempt++ {
		again, pause := canRetry(response, err, attempt)
		if !again {
			break
		}
		time.Sleep(time.Duration(pause) * time.Second)
		response, err = try(method, url, body, key)
	}
	check(err)
	defer response.Body.Close()
	if response.StatusCode >= 400 {
		problem, _ := io.ReadAll(response.Body)
		log.Fatal(string(problem))
	}
	check(json.NewDecoder(response.Body).Decode(&job))
	return job
}

// chooseKey returns the idempotency key. Requests with the same key create and charge one job only.
// After a crash, pass the printed key: go run retry.go KEY
func chooseKey() string {
	if len(os.Args) > 1 {
		return os.Args[1]
	}
	random := make([]byte, 16)
	_, err := rand.Read(random)
	check(err)
	return hex.EncodeToString(random)
}

func main() {
	photo, err := os.ReadFile("photo.jpg")
	check(err)
	key := chooseKey()
	fmt.Fprintln(os.Stderr, "key:", key)

	job := send("POST", "https://uprez.example/v1/process?scale=2", photo, key)
	for job.Status == "queued" || job.Status == "processing" {
		time.Sleep(time.Second)
		job = send("GET", job.StatusURL, nil, "")
	}
	if job.DownloadURL == "" {
		log.Fatal(job.Status)
	}

	result, err := http.Get(job.DownloadURL)
	check(err)
	defer result.Body.Close()
	file, err := os.Create("upscaled.jpg")
	check(err)
	defer file.Close()
	_, err = io.Copy(file, result.Body)
	check(err)
}
