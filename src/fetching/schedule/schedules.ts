import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../../platform/config.js';
import { CONFIG } from '../../platform/config.js';
import { Clock } from '../../platform/time/clock.js';
import type { FetchState } from '../../sources/fetch-states.table.js';
import { ScheduleExplainer } from '../../sources/schedule-explainer.js';
import type { SourceRow } from '../../sources/sources.table.js';
import type { IntervalRules } from '../intervals/interval.js';
import { INTERVAL_RULES } from '../intervals/interval-rules.js';
import { type Explanation, explainSchedule } from './explain-schedule.js';

@Injectable()
export class Schedules extends ScheduleExplainer {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(INTERVAL_RULES) private readonly rules: IntervalRules,
    private readonly clock: Clock,
  ) {
    super();
  }

  explain({ followers }: Pick<SourceRow, 'followers'>, state: FetchState): Explanation {
    const { activeWindowMs } = this.config;
    return explainSchedule({ state, followers, activeWindowMs, now: this.clock.now() }, this.rules);
  }
}
