/** `jobColumns()` as SQL, for tables that tests and benchmarks create. */
export const JOB_COLUMNS = `
  job_state text NOT NULL DEFAULT 'waiting', job_run integer NOT NULL DEFAULT 1, job_fence integer NOT NULL DEFAULT 0,
  job_priority integer NOT NULL DEFAULT 0, job_run_at timestamptz NOT NULL DEFAULT now(), job_cause text, job_owner text,
  job_sweep_at timestamptz NOT NULL DEFAULT now() + interval '5 seconds'`;
