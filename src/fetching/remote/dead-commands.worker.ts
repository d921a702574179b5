import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { FetchCommand } from '../../contracts/fetch-command.js';
import { DEAD_COMMANDS } from '../../contracts/queues.js';
import { DeadMessage, DeadMessages } from '../../platform/broker/dead-messages.js';
import { Id } from '../../platform/database/columns.js';
import { Database } from '../../platform/database/database.js';
import { defineJob } from '../../platform/jobs/job-catalogue.js';
import { Handles, type JobHandler } from '../../platform/jobs/job-handler.js';
import { Jobs } from '../../platform/jobs/jobs.js';
import { GiveUp } from '../../platform/jobs/outcomes.js';
import { FetchStatesStore } from '../run/fetch-states.store.js';
import { SourceCatalogue } from '../source-catalogue.js';

/** This job is enqueued only through its dead letter. */
const deadCommandsJob = defineJob({
  name: DEAD_COMMANDS,
  data: DeadMessage,
  attempts: ({ replayAttempts }) => replayAttempts,
  backoff: { type: 'exponential', delay: ({ replayBackoffMs }) => replayBackoffMs },
  concurrency: 1,
});

@Injectable()
@Handles(deadCommandsJob)
export class DeadCommandsWorker implements JobHandler<DeadMessage>, OnApplicationBootstrap {
  constructor(
    private readonly messages: DeadMessages,
    private readonly database: Database,
    private readonly jobs: Jobs,
    private readonly catalogue: SourceCatalogue,
    private readonly states: FetchStatesStore,
  ) {}

  onApplicationBootstrap() {
    this.messages.collect(DEAD_COMMANDS, { subjectOf });
  }

  /** The sender of the command no longer waits for the answer, so the source is fetched instead. */
  async run(message: DeadMessage): Promise<void> {
    const command = FetchCommand.safeParse(message.body).data;
    if (command) await this.fetch(command);
    else await this.messages.republish(message.routingKey, message);
  }

  private async fetch({ sourceId, sourceType }: FetchCommand): Promise<void> {
    const job = this.catalogue.jobs.get(sourceType);
    // Other programs may send commands with any source id.
    const source = Id.safeParse(sourceId).success ? await this.states.find(sourceId) : undefined;
    if (!job || source?.type !== sourceType) throw new GiveUp(`there is no ${sourceType} source ${sourceId} here`);
    // A source that is already enqueued is fetched anyway, so nothing happens here.
    const start = { priority: 0, cause: 'replay' };
    await this.jobs.enqueueRows(job, await job.rows.putToWork(this.database.db, [sourceId], start));
  }
}

function subjectOf({ body }: DeadMessage): string | undefined {
  const command = FetchCommand.safeParse(body).data;
  return command && `${command.sourceType}-${command.sourceId}`;
}
