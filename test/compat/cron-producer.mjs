// Run by cron every minute: hands in the posts that are due and have not been sent yet.
import { readFileSync, writeFileSync } from 'node:fs';

const [file] = process.argv.slice(2);
const posts = JSON.parse(readFileSync(file, 'utf8'));
const due = posts.filter((post) => !post.sent && Date.parse(post.due_at) <= Date.now());
if (due.length === 0) {
  process.stdout.write('nothing is due\n');
  process.exit(0);
}

const response = await fetch(`${process.env.API_URL}/api/publications/bulk`, {
  method: 'POST',
  headers: {
    Authorization: `Bearer ${process.env.API_KEY}`,
    'Content-Type': 'application/json',
    'X-Millrace-User': process.env.API_USER,
  },
  body: JSON.stringify(
    due.map((post) => ({
      accountId: post.account,
      content: { text: post.text },
      scheduledAt: post.due_at,
      priority: post.priority || 'normal',
    })),
  ),
});
if (!response.ok) {
  process.stderr.write(`${response.status} ${await response.text()}\n`);
  process.exit(1);
}
for (const post of due) post.sent = true;
writeFileSync(file, JSON.stringify(posts));
process.stdout.write(`sent ${(await response.json()).posts}\n`);
