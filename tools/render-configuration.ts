import type { Field } from '../src/platform/config-field-types.js';
import { FIELDS, GROUPS } from '../src/platform/config-fields.js';

/** Characters in a line of comments. */
const MAX_COMMENT = 118;

const INTRODUCTION =
  'Every variable that Millrace reads, with its default. Copy this file to .env, or set the variables in the environment, which takes precedence. ' +
  'Durations are written 500ms, 30s, 5m, 24h or 10d; a number without a unit is in seconds. Percentages are written 80% or 80. ' +
  'docs/configuration.md describes the same variables.';

/** The text of `.env.example`. */
export function renderEnvExample(): string {
  const groups = GROUPS.map(({ title, fields }) => [`# ${title}`, ...fields.map(renderLine)].join('\n\n'));
  return `${[comment(INTRODUCTION), ...groups].join('\n\n')}\n`;
}

function renderLine({ name, about, default: value = '' }: Field): string {
  return `${comment(about)}\n${name}=${value}`;
}

function comment(text: string): string {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = `${lines.at(-1)} ${word}`;
    if (line.length > MAX_COMMENT) lines.push(` ${word}`);
    else lines[lines.length - 1] = line;
  }
  return lines.map((line) => `#${line}`).join('\n');
}

/** The text of `docs/configuration.md`. */
export function renderConfigurationPage(): string {
  return `# Configuration

Millrace reads its configuration from the environment and from \`.env\` in the folder where it starts. The environment takes
precedence. An empty value stands for the default.

A start validates all variables and reports all errors at once. \`millrace config\` shows the effective values and where each
of them comes from, and hides secrets. [\`.env.example\`](../.env.example) lists all variables with their defaults.

- **Durations** are written \`500ms\`, \`30s\`, \`5m\`, \`24h\` or \`10d\`. A number without a unit is in seconds.
- **Percentages** are written \`80%\` or \`80\`.
- **Lists** are separated by commas.

## Old names

These names still work. They take a number of milliseconds.

| Old name | Name |
|---|---|
${FIELDS.flatMap(renderAlias).join('\n')}

The environment takes precedence over \`.env\` under either name. If both names are set in one place, their values must be
equal; otherwise Millrace does not start.

## Names of other programs

Millrace also reads variables that programs which it replaces often use, so that their environment files keep working.

| Variables | Name | Value |
|---|---|---|
${FIELDS.flatMap(renderOthers).join('\n')}

The variable in the column *Name* wins wherever it is set. If the other ones then have another value, they are ignored; the
log says so at the start, and \`millrace config\` shows it. Errors name the variable that was given.

${GROUPS.map(({ title, fields }) => renderGroup(title, fields)).join('\n\n')}
`;
}

function renderAlias({ name, alias }: Field): string[] {
  return alias ? [`| \`${alias}\` | \`${name}\` |`] : [];
}

function renderOthers({ name, others }: Field): string[] {
  if (!others) return [];
  const variables = others.variables.map((one) => `\`${one.name}\``).join(', ');
  return [`| ${variables} | \`${name}\` | ${others.about} |`];
}

function renderGroup(title: string, fields: readonly Field[]): string {
  return `## ${title}

| Variable | Default | Value and unit | Meaning |
|---|---|---|---|
${fields.map(renderRow).join('\n')}`;
}

function renderRow({ name, type, about, secret, default: value }: Field): string {
  const accepted = type.unit ? `${type.expected} (${type.unit})` : type.expected;
  const meaning = secret ? `${about} The value is secret.` : about;
  return `| \`${name}\` | ${value ? `\`${value}\`` : ''} | ${accepted} | ${meaning.replaceAll(/\w+\.<\w+>/g, '`$&`')} |`;
}
