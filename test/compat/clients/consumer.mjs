// A team's own consumer: it declares a queue in the plain way, and answers what arrives on it.
import amqp from 'amqplib';

const [queue] = process.argv.slice(2);
const connection = await amqp.connect(process.env.RABBITMQ_URL);
const channel = await connection.createChannel();
await channel.assertQueue('scrape_jobs', { durable: true });
await channel.assertQueue('failed_jobs', { durable: true });
await channel.assertQueue(queue, { durable: true });
await channel.consume(queue, (message) => {
  const { jobId, sourceId, externalId } = JSON.parse(message.content.toString());
  const author = { username: externalId, displayName: externalId };
  const post = { externalId: 9, content: 'Hi', title: 'From Node', publishedAt: '2026-01-31T12:00:00', author };
  const data = { posts: [post], hasMore: false };
  const answer = { jobId, sourceId, status: 'success', data, timestamp: new Date().toISOString(), processingTime: 1 };
  const { replyTo, correlationId } = message.properties;
  channel.sendToQueue(replyTo, Buffer.from(JSON.stringify(answer)), { correlationId });
  channel.ack(message);
});
process.stdout.write('waiting for requests\n');
