import { ERROR_CODES } from '../src/platform/errors/error-codes.js';

/** The text of `docs/errors.md`. */
export function renderErrorList(): string {
  const rows = Object.entries(ERROR_CODES).map(
    ([code, { status, title, meaning, remedy }]) => `| \`${code}\` | ${status} | ${title} | ${meaning} | ${remedy} |`,
  );
  return `# Errors

Every error of the API is a problem document (RFC 9457, \`application/problem+json\`):
\`{type, title, status, code, detail, errors: [{path, message}]?, requestId}\`. Decide by \`code\`; show \`detail\`.
The same \`requestId\` is in the \`X-Request-Id\` header and in the server's log.

| Code | Status | Title | What it means | What to do |
|---|---|---|---|---|
${rows.join('\n')}
`;
}
