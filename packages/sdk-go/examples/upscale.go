package main

import (
	"context"
	"fmt"
	"log"

	"github.com/uprez/uprez-go"
)

func main() {
	ctx := context.Background()
	client, err := uprez.New("YOUR_API_KEY", "https://uprez.example")
	if err != nil {
		log.Fatal(err)
	}
	job, err := client.Process(ctx, uprez.File("photo.jpg"), &uprez.Options{Scale: 4})
	if err != nil {
		log.Fatal(err)
	}
	if job, err = job.Wait(ctx); err != nil {
		log.Fatal(err)
	}
	if _, err = job.Download(ctx, "upscaled.jpg"); err != nil {
		log.Fatal(err)
	}
	fmt.Println(job.ProcessedSize.Width, "x", job.ProcessedSize.Height, job.Notes)
}
