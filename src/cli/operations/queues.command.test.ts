import { expect, it, vi } from 'vitest';
import { runningMillrace } from '../../../test/cli/running-millrace.js';
import { rabbitmqUrl } from '../../../test/harness/rabbitmq.js';

const millrace = runningMillrace({
  rabbitmqUrl: rabbitmqUrl(),
  // Nothing listens there.
  rabbitmqManagementUrl: 'http://user:hunter2@127.0.0.1:2/',
});

it('shows the queues of RabbitMQ below those of jobs, and why figures are missing', async () => {
  await vi.waitFor(
    async () => {
      const { out } = await millrace.run(['queues']);
      expect(out).toMatch(/^import-item +running /m);
      expect(out).toMatch(/^RABBITMQ QUEUE +READY +UNACKED +CONSUMERS +PUBLISHED\/S +DELIVERED\/S +ACKED\/S$/m);
      expect(out).toMatch(/^scrape_jobs +0 +– +1 +– +– +–$/m);
      expect(out).toMatch(
        /^The management API of RabbitMQ at http:\/\/127\.0\.0\.1:2 cannot be used: ECONNREFUSED\.$/m,
      );
      const health = (await millrace.run(['health'])).out;
      expect(health).toMatch(/^messages +0 ready in RabbitMQ\. The management API of RabbitMQ at .* cannot be used/m);
      expect(out + health).not.toContain('hunter2');
    },
    { timeout: 30_000, interval: 500 },
  );
});
