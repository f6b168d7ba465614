package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"net/http"
	"os"

	"github.com/uprez/uprez-go"
)

func canonical(header map[string][]string) http.Header { return header }

func saved(path string, size int64, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(data)
	return facts{"bytes": size, "sha256": hex.EncodeToString(sum[:])}, nil
}

func show(made any) any {
	switch thing := made.(type) {
	case *hooked:
		return show(thing.made)
	case *uprez.Webhook:
		return showWebhook(thing)
	case *uprez.Delivery:
		return showDelivery(thing)
	case []uprez.Webhook:
		kinds := []string{}
		for _, webhook := range thing {
			kinds = append(kinds, webhook.Kind)
		}
		return facts{"kinds": kinds}
	case *uprez.DeliveryPage:
		types := []string{}
		for _, delivery := range thing.Data {
			types = append(types, delivery.EventType)
		}
		return facts{"count": len(types), "event_types": types, "has_more": thing.NextCursor != ""}
	case *uprez.Job:
		return showJob(thing)
	case *uprez.Batch:
		return showBatch(thing)
	case *uprez.Deletion:
		if thing.Cancelled != nil {
			return showJob(thing.Cancelled)
		}
		return facts{"deleted": true}
	case *uprez.JobPage:
		names := []string{}
		for _, job := range thing.Data {
			names = append(names, job.Filename)
		}
		return facts{"count": len(names), "filenames": names, "has_more": thing.NextCursor != ""}
	case *uprez.DryRun:
		return facts{
			"dry_run": true, "width": thing.Width, "height": thing.Height,
			"units": thing.Units, "format": thing.Format, "engine": thing.Engine,
		}
	case *uprez.Estimate:
		got := facts{"width": thing.Width, "height": thing.Height, "units": thing.Units, "meter": thing.Meter}
		if thing.Limit != nil {
			got["limit_code"] = thing.Limit.Code
		}
		return got
	case *uprez.Account:
		return facts{"plan": thing.Plan.Key, "kind": thing.Key.Kind}
	case []uprez.Engine:
		names := []string{}
		for _, engine := range thing {
			names = append(names, engine.Name)
		}
		return facts{"names": names}
	case *uprez.EventPage:
		types := []string{}
		for _, event := range thing.Data {
			types = append(types, event.Type)
		}
		return facts{"types": types}
	}
	return made
}

func showJob(job *uprez.Job) facts {
	got := facts{
		"status": job.Status, "success": job.Success, "filename": job.Filename, "format": job.Format,
		"quality": job.Quality, "scale_factor": job.ScaleFactor, "engine": job.Engine, "sandbox": job.Sandbox,
		"original": []int{job.OriginalSize.Width, job.OriginalSize.Height}, "cached": job.Cached,
		"credits": job.Credits,
	}
	if job.ProcessedSize != nil {
		got["size"] = []int{job.ProcessedSize.Width, job.ProcessedSize.Height}
	}
	if job.CreditsCharged != nil {
		got["charged"] = *job.CreditsCharged
	}
	if job.Error != nil {
		got["error_code"] = job.Error.Code
	}
	return got
}

func showWebhook(webhook *uprez.Webhook) facts {
	return facts{
		"kind": webhook.Kind, "url": webhook.URL, "description": webhook.Description, "events": webhook.Events,
		"sandbox": webhook.Sandbox, "is_active": webhook.IsActive, "disabled_reason": webhook.DisabledReason,
		"has_secret": webhook.Secret != "", "is_rotated": webhook.FormerSecretUntil != nil,
	}
}

func showDelivery(delivery *uprez.Delivery) facts {
	body := struct{ Type string }{}
	if delivery.Body != "" && json.Unmarshal([]byte(delivery.Body), &body) != nil {
		body.Type = "not JSON"
	}
	return facts{
		"event_type": delivery.EventType, "url": delivery.URL, "status": delivery.Status, "body_type": body.Type,
	}
}

func showBatch(batch *uprez.Batch) facts {
	items := []facts{}
	for _, item := range batch.Items {
		shown := facts{"name": item.Name, "status": item.Status}
		if item.Error != nil {
			shown["error_code"] = item.Error.Code
		}
		if item.Delivery != nil {
			shown["delivery"] = facts{"status": item.Delivery.Status, "host": item.Delivery.Host}
		}
		items = append(items, shown)
	}
	got := facts{"status": batch.Status, "sandbox": batch.Sandbox, "items": items}
	if batch.CreditsCharged != nil {
		got["charged"] = *batch.CreditsCharged
	}
	return got
}

func showError(err error) facts {
	var refused *uprez.APIError
	var failed *uprez.JobError
	var broken *uprez.ConnectionError
	switch {
	case errors.As(err, &refused):
		got := facts{"code": refused.Code, "status": refused.Status}
		got["hint"], got["request_id"] = refused.Hint != "", refused.RequestID != ""
		if refused.Param != "" {
			got["param"] = refused.Param
		}
		if refused.MaxScale != 0 {
			got["max_scale"] = refused.MaxScale
		}
		if refused.RetryAfter != 0 {
			got["retry_after"] = refused.RetryAfter.Seconds()
		}
		return got
	case errors.As(err, &failed):
		return facts{"code": failed.Code(), "job_status": failed.Job.Status}
	case errors.As(err, &broken):
		return facts{"code": "connection_failed"}
	case errors.Is(err, uprez.ErrInvalidSignature):
		return facts{"code": "invalid_signature"}
	case errors.Is(err, uprez.ErrTimestampOutsideTolerance):
		return facts{"code": "timestamp_outside_tolerance"}
	}
	return facts{"crash": err.Error()}
}
