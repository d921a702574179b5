import { Module } from '@nestjs/common';
import { NAME_LOOKUP, systemLookup } from './address-guard.js';
import { HostBackoffs } from './host-backoffs.js';
import { HttpClient } from './http-client.js';
import { RequestMetrics } from './request-metrics.js';

/** Outgoing requests. */
@Module({
  providers: [HttpClient, RequestMetrics, HostBackoffs, { provide: NAME_LOOKUP, useValue: systemLookup }],
  exports: [HttpClient],
})
export class HttpModule {}
