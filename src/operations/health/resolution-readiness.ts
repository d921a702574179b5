import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleInit } from '@nestjs/common';
import { Readiness } from '../../platform/api/readiness.js';
import { CONFIG, type Config } from '../../platform/config.js';
import { NameResolver } from '../../platform/http/name-resolver.js';
import type { ResolutionProblem } from '../../platform/http/resolution-times.js';
import { Periodic } from '../../platform/time/periodic.js';

/** Names that get no answer here get none elsewhere, so only a failure of name resolution as a whole counts. */
@Injectable()
export class ResolutionReadiness implements OnModuleInit, OnApplicationBootstrap {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly readiness: Readiness,
    private readonly names: NameResolver,
    private readonly periodic: Periodic,
  ) {}

  onModuleInit() {
    if (!this.config.roles.has('worker')) return;
    this.readiness.register('dns', async () => this.problem('critical'));
    this.readiness.registerWarning('dns', () => this.problem('warning'));
  }

  onApplicationBootstrap() {
    if (!this.config.roles.has('worker')) return;
    this.periodic.everyHere(this.config.canaryMs, 'name resolution canaries', () => this.names.sendCanaries());
  }

  private problem(severity: ResolutionProblem['severity']): string | undefined {
    const problem = this.names.times.problem();
    return problem?.severity === severity ? problem.message : undefined;
  }
}
