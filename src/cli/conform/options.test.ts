import { expect, it } from 'vitest';
import { runMillraceCommand } from '../../../test/cli/run-millrace-command.js';
import { readArguments } from '../arguments.js';
import { conform } from './conform.command.js';
import { OPTIONS, readOptions } from './options.js';

const URL = 'amqp://somewhere';
const optionsOf = (typed: string[], environment: NodeJS.ProcessEnv) =>
  readOptions(readArguments({ args: conform.actions[0].args, options: OPTIONS }, typed), environment);

it.each([
  ['no queue', [], 'Missing argument <queue>, for example fetch.instagram.'],
  ['two queues', ['fetch.a', 'fetch.b'], 'Unexpected argument `fetch.b`.'],
  ['a queue that is no worker’s', ['scrape_jobs'], 'scrape_jobs is not a queue of workers.'],
  ['the queue of dead commands', ['fetch.dlq'], 'fetch.dlq is not a queue of workers.'],
  ['no address', ['fetch.a'], 'Set RABBITMQ_URL or --url amqp://host:port.'],
  ['a time that is none', ['fetch.a', '--url', URL, '--timeout', 'soon'], '--timeout must be a duration from 1s to 1h'],
  [
    'an unknown probe',
    ['fetch.a', '--url', URL, '--only', 'paging,peace'],
    'Unknown probe `peace`. The probes are worker-',
  ],
  ['an unknown option', ['fetch.a', '--loud'], 'Unknown option `--loud`.'],
  ['an option without its value', ['fetch.a', '--account'], '--account needs a value: --account <externalId>.'],
])('refuses %s', async (_, args, complaint) => {
  const { code, out, err } = await runMillraceCommand(['conform', ...args]);
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(err).toMatch(/^millrace conform: /);
  expect(err).toContain(complaint);
});

it('does not show the password of an address that is none', async () => {
  const { code, err } = await runMillraceCommand(['conform', 'fetch.a', '--url', 'http://me:hunter2@host']);
  expect(code).toBe(2);
  expect(err).toBe('millrace conform: --url must be an address such as amqp://user:password@host:5672.\n');
});

it('takes address and exchange from the configuration, unless they are given', () => {
  const environment = { RABBITMQ_URL: 'amqp://there', MILLRACE_RABBITMQ_EXCHANGE: 'mine' };
  expect(optionsOf(['fetch.a'], environment)).toMatchObject({ url: 'amqp://there', exchange: 'mine' });
  const given = ['fetch.a', '--url', 'amqps://here', '--exchange', 'yours'];
  expect(optionsOf(given, environment)).toMatchObject({ url: 'amqps://here', exchange: 'yours' });
});

it('needs no data folder', () => {
  const environment = { RABBITMQ_URL: URL, MILLRACE_DATA_DIR: '/nowhere/at/all' };
  expect(optionsOf(['fetch.a'], environment).queue).toBe('fetch.a');
});

it('looks for a worker whatever else is to be probed', () => {
  const { probes } = optionsOf(['fetch.a', '--only', 'paging'], { RABBITMQ_URL: URL });
  expect(probes.map(({ name }) => name)).toEqual(['worker-present', 'paging']);
});
