import { Connection } from 'rabbitmq-client';
import { expect, it, onTestFinished } from 'vitest';
import { ownRabbitmq } from '../harness/rabbitmq.js';
import { pageServer } from './page-server.js';
import { accessibilityProblems, browser, signIn } from './visitor.js';

const chrome = browser();
const rabbitmq = ownRabbitmq({ withManagement: true });
const millrace = pageServer(() => ({
  RABBITMQ_URL: rabbitmq.url,
  RABBITMQ_MANAGEMENT_URL: rabbitmq.managementUrl,
  MILLRACE_ALERT_WAITING: '2',
}));

it('shows how many messages wait at RabbitMQ, who consumes them, and an alert when they are too many', async () => {
  const connection = new Connection({ url: rabbitmq.url, noDelay: true });
  onTestFinished(() => connection.unsafeDestroy());
  const publisher = connection.createPublisher({ confirm: true });
  for (let message = 0; message < 3; message++) await publisher.send({ routingKey: 'fetch.twitter' }, 'x');

  const page = await chrome.visit(millrace.address);
  await signIn(page, millrace.key, '/health');
  const queues = page.getByRole('region', { name: 'Queues of RabbitMQ' }).first();
  // Ready, unacknowledged, consumers, and three rates.
  await queues.getByRole('row', { name: /^fetch\.twitter 3 0 0( [\d.]+){3}$/ }).waitFor({ timeout: 30_000 });
  await queues.getByRole('row', { name: /^scrape_jobs 0 0 1( [\d.]+){3}$/ }).waitFor({ timeout: 30_000 });
  const alert = '3 messages wait in the RabbitMQ queue fetch.twitter. Nothing consumes from it.';
  await page.getByText(alert).waitFor({ timeout: 30_000 });
  expect(await accessibilityProblems(page)).toEqual([]);
});
