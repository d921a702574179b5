import { Module } from '@nestjs/common';
import { NAME_LOOKUP } from './address-guard.js';
import { HostAnswers } from './host-answers.js';
import { HostBackoffs } from './host-backoffs.js';
import { HostGate } from './host-gate.js';
import { HostLessons } from './host-lessons.js';
import { HostLimits } from './host-limits.js';
import { HostLimitsStore } from './host-limits.store.js';
import { HttpClient } from './http-client.js';
import { NameResolver } from './name-resolver.js';
import { RequestMetrics } from './request-metrics.js';
import { RequestTurns } from './request-turns.js';
import { SentByAll } from './sent-by-all.js';

/** Outgoing requests. */
@Module({
  providers: [
    ...[HttpClient, RequestMetrics, NameResolver],
    { provide: NAME_LOOKUP, inject: [NameResolver], useFactory: ({ lookup }: NameResolver) => lookup },
    ...[HostGate, HostBackoffs, HostLimits, HostLimitsStore, RequestTurns, HostAnswers, HostLessons, SentByAll],
  ],
  exports: [HttpClient, HostLimits, HostLimitsStore, NameResolver],
})
export class HttpModule {}
