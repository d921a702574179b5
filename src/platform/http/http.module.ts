import { Module } from '@nestjs/common';
import { HostAnswers } from '../hosts/host-answers.js';
import { HostBackoffs } from '../hosts/host-backoffs.js';
import { HostGate } from '../hosts/host-gate.js';
import { HostLimits } from '../hosts/host-limits.js';
import { HostLimitsStore } from '../hosts/host-limits.store.js';
import { LearnedLimits } from '../hosts/learned-limits.js';
import { RequestSlots } from '../hosts/request-slots.js';
import { NAME_LOOKUP } from './address-guard.js';
import { HttpClient } from './http-client.js';
import { NameResolver } from './name-resolver.js';
import { RequestMetrics } from './request-metrics.js';

@Module({
  providers: [
    HttpClient,
    RequestMetrics,
    NameResolver,
    { provide: NAME_LOOKUP, inject: [NameResolver], useFactory: ({ lookup }: NameResolver) => lookup },
    HostGate,
    HostBackoffs,
    HostLimits,
    HostLimitsStore,
    RequestSlots,
    HostAnswers,
    LearnedLimits,
  ],
  exports: [HttpClient, HostLimits, HostLimitsStore, NameResolver],
})
export class HttpModule {}
