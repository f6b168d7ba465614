package main

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/uprez/uprez-go"
)

// hooked is the result of a step, with its endpoint.
type hooked struct {
	client  *uprez.Client
	webhook *uprez.Webhook
	made    any
}

// take runs a step of a case on the result of the previous one.
func take(ctx context.Context, one contractCase, step string, made any) (any, error) {
	path := filepath.Join(os.Getenv("UPREZ_OUT"), one.Name)
	switch thing := made.(type) {
	case *hooked:
		next, err := takeWebhook(ctx, one, step, thing)
		return &hooked{client: thing.client, webhook: thing.webhook, made: next}, err
	case *uprez.Job:
		switch step {
		case "get", "wait", "cancel":
			return follow[*uprez.Job](ctx, step, thing)
		case "delete":
			return thing.Delete(ctx)
		case "delete_and_get":
			if _, err := thing.Delete(ctx); err != nil {
				return nil, err
			}
			return thing.Refresh(ctx)
		case "download":
			size, err := thing.Download(ctx, path)
			return saved(path, size, err)
		}
		return saveResult(ctx, thing, step, path)
	case *uprez.Batch:
		switch step {
		case "get", "wait", "cancel":
			return follow[*uprez.Batch](ctx, step, thing)
		case "zip":
			size, err := thing.DownloadZip(ctx, path)
			return saved(path, size, err)
		case "zip_to":
			return savedBy(path, func(file io.Writer) (int64, error) { return thing.DownloadZipTo(ctx, file) })
		}
	}
	return nil, errors.New("unknown step: " + step)
}

func saveResult(ctx context.Context, job *uprez.Job, step, path string) (any, error) {
	switch step {
	case "result":
		data, err := job.Result(ctx)
		if err != nil {
			return nil, err
		}
		return saved(path, int64(len(data)), os.WriteFile(path, data, 0o600))
	case "stream":
		stream, err := job.Open(ctx)
		if err != nil {
			return nil, err
		}
		defer stream.Close()
		return savedBy(path, func(file io.Writer) (int64, error) { return io.Copy(file, stream) })
	case "download_to":
		return savedBy(path, func(file io.Writer) (int64, error) { return job.DownloadTo(ctx, file) })
	}
	return nil, errors.New("unknown step: " + step)
}

func savedBy(path string, write func(io.Writer) (int64, error)) (any, error) {
	file, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	size, err := write(file)
	return saved(path, size, err)
}

func takeWebhook(ctx context.Context, one contractCase, step string, from *hooked) (any, error) {
	hooks, id := from.client.Webhooks, from.webhook.ID
	switch step {
	case "webhook_get":
		return hooks.Get(ctx, id)
	case "webhook_update":
		return hooks.Update(ctx, id, one.Change)
	case "webhook_rotate":
		return hooks.Rotate(ctx, id, uprez.Ptr(time.Duration(one.OverlapHours)*time.Hour))
	case "webhook_test":
		return hooks.Test(ctx, id)
	case "webhook_resend":
		count, err := hooks.Resend(ctx, id, one.Since)
		return facts{"events": count}, err
	case "webhook_delete":
		return nil, hooks.Delete(ctx, id)
	case "deliveries":
		return hooks.Deliveries(ctx, id, uprez.DeliveryFilter{})
	}
	delivery, ok := from.made.(*uprez.Delivery)
	switch {
	case ok && step == "delivery":
		return hooks.Delivery(ctx, id, delivery.ID)
	case ok && step == "resend_delivery":
		return hooks.ResendDelivery(ctx, id, delivery.ID)
	}
	return nil, errors.New("unknown step: " + step)
}

type followed[T any] interface {
	Refresh(context.Context) (T, error)
	Wait(context.Context) (T, error)
	Cancel(context.Context) (T, error)
}

func follow[T any](ctx context.Context, step string, thing followed[T]) (any, error) {
	switch step {
	case "wait":
		return thing.Wait(ctx)
	case "cancel":
		return thing.Cancel(ctx)
	default:
		return thing.Refresh(ctx)
	}
}
