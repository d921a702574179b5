import { Global, Module } from '@nestjs/common';
import { APP_FILTER, APP_PIPE, DiscoveryModule } from '@nestjs/core';
import { ProblemFilter } from '../errors/answer-problem.js';
import { LiveHub } from '../live/live-hub.js';
import { ApiMetrics } from './api-metrics.js';
import { HealthController } from './health.controller.js';
import { Readiness } from './readiness.js';
import { StrictInputs } from './strict-inputs.js';
import { ValidationPipe } from './validation.pipe.js';

@Global()
@Module({
  imports: [DiscoveryModule],
  controllers: [HealthController],
  providers: [
    ApiMetrics,
    LiveHub,
    Readiness,
    StrictInputs,
    { provide: APP_FILTER, useClass: ProblemFilter },
    { provide: APP_PIPE, useClass: ValidationPipe },
  ],
  exports: [LiveHub, Readiness],
})
export class ApiModule {}
