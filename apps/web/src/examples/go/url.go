package main

import (
	"encoding/json"
	"io"
	"log"
	"net/http"
	"os"
	"strings"
	"time"
)

const options = `{
	"image_url": "https://images.example/photo.jpg",
	"width": 640,
	"height": 480,
	"fit": "cover",
	"format": "webp"
}`

type Job struct {
	Status      string `json:"status"`
	StatusURL   string `json:"status_url"`
	DownloadURL string `json:"download_url"`
}

func call(method, url string, body io.Reader) (job Job) {
	request, err := http.NewRequest(method, url, body)
	check(err)
	request.Header.Set("Authorization", "Bearer YOUR_API_KEY")
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	check(err)
	defer response.Body.Close()
	if response.StatusCode >= 400 {
		problem, _ := io.ReadAll(response.Body)
		log.Fatal(string(problem))
	}
	check(json.NewDecoder(response.Body).Decode(&job))
	return job
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func main() {
	job := call("POST", "https://uprez.example/v1/process", strings.NewReader(options))
	for job.Status == "queued" || job.Status == "processing" {
		time.Sleep(time.Second)
		job = call("GET", job.StatusURL, nil)
	}
	if job.DownloadURL == "" {
		log.Fatal(job.Status)
	}

	result, err := http.Get(job.DownloadURL)
	check(err)
	defer result.Body.Close()
	file, err := os.Create("card.webp")
	check(err)
	defer file.Close()
	_, err = io.Copy(file, result.Body)
	check(err)
}
