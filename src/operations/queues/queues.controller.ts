import { Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiResponse, ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import { AdminOnly } from '../../auth/keys/needs.js';
import { pageOf } from '../../platform/api/list-query.js';
import { Text } from '../../platform/database/columns.js';
import { BrokerQueues, RabbitmqView } from './broker-queues.js';
import { QueueView } from './queue-views.js';
import { Queues } from './queues.js';

const Name = Text.min(1).max(200);
/** `rabbitmq` is null if RabbitMQ is not configured. */
const QueueList = pageOf(QueueView).extend({ rabbitmq: RabbitmqView.nullable() });
const Cleaned = z.strictObject({ removed: z.int(), queue: QueueView });

@ApiTags('Operations')
@AdminOnly()
@Controller('queues')
export class QueuesController {
  constructor(
    private readonly queues: Queues,
    private readonly brokerQueues: BrokerQueues,
  ) {}

  @Get()
  @ApiResponse({ status: 200, standardSchema: QueueList })
  async list() {
    const [items, rabbitmq] = await Promise.all([this.queues.list(), this.brokerQueues.read()]);
    return { items, nextCursor: null, rabbitmq };
  }

  /** Stops all processes from starting jobs of the queue until it is resumed. Running jobs finish. */
  @Post(':name/pause')
  @HttpCode(200)
  @ApiResponse({ status: 200, standardSchema: QueueView })
  pause(@Param('name', { schema: Name }) name: string) {
    return this.queues.pause(name);
  }

  @Post(':name/resume')
  @HttpCode(200)
  @ApiResponse({ status: 200, standardSchema: QueueView })
  resume(@Param('name', { schema: Name }) name: string) {
    return this.queues.resume(name);
  }

  /** Removes jobs that are not needed any more. Pending work stays. */
  @Post(':name/clean')
  @HttpCode(200)
  @ApiResponse({ status: 200, standardSchema: Cleaned })
  clean(@Param('name', { schema: Name }) name: string) {
    return this.queues.clean(name);
  }
}
