-- What a team asks the database after a run, as it did before Millrace.
SELECT total_found, total_processed, duplicates, status, created_at, completed_at FROM scrape_jobs ORDER BY created_at;
SELECT scrape_job_id, raw_payload, scraped_at FROM raw_leads ORDER BY scraped_at, id;
SELECT platform, content, status, priority, scheduled_at, published_at, platform_post_id FROM social_posts ORDER BY id;
