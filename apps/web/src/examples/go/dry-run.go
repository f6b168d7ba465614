package main

import (
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"
)

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func main() {
	photo, err := os.Open("photo.jpg")
	check(err)
	defer photo.Close()
	request, err := http.NewRequest("POST", "https://uprez.example/v1/process?dry_run=true&scale=8", photo)
	check(err)
	request.Header.Set("Authorization", "Bearer YOUR_API_KEY")
	request.Header.Set("Content-Type", "image/jpeg")
	response, err := http.DefaultClient.Do(request)
	check(err)
	defer response.Body.Close()

	var plan struct {
		Width, Height, Units int
		Seconds              float64
		Detail               string
	}
	check(json.NewDecoder(response.Body).Decode(&plan))
	if plan.Detail != "" {
		log.Fatal(plan.Detail)
	}
	fmt.Printf("%d x %d, %d credit, about %.1f s\n", plan.Width, plan.Height, plan.Units, plan.Seconds)
}
