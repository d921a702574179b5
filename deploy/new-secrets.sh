#!/bin/sh
# Prints new secrets for compose.yaml: umask 077 && sh new-secrets.sh > .env
# Keep them: without MILLRACE_SECRET_KEYS nobody can open the accounts' credentials again.
set -eu

secret() { od -An -N24 -tx1 /dev/urandom | tr -d ' \n'; }

for name in MILLRACE_ADMIN_KEY MILLRACE_SECRET_KEYS POSTGRES_PASSWORD RABBITMQ_PASSWORD GRAFANA_PASSWORD; do
  printf '%s=%s\n' "$name" "$(secret)"
done
