import { Injectable } from '@nestjs/common';
import type { DelayMinute, FoundAlert, HealthSections } from './health-sections.js';

export interface Facts<Stats> {
  stats: Stats;
  alerts: FoundAlert[];
}

export interface Span {
  from: Date;
  to: Date;
}

type Section = keyof HealthSections;
type Probes = { [Name in Section]?: (now: Date) => Promise<Facts<HealthSections[Name]>> };

/** Features register their health here, so that the health report need not know them. */
@Injectable()
export class HealthFacts {
  private readonly probes: Probes = {};
  private readDelays: (span: Span) => Promise<DelayMinute[]> = async () => [];

  register<Name extends Section>(section: Name, probe: (now: Date) => Promise<Facts<HealthSections[Name]>>): void {
    Object.assign(this.probes, { [section]: probe });
  }

  /** Returns undefined if no feature reports this section. */
  async section<Name extends Section>(name: Name, now: Date): Promise<Facts<HealthSections[Name]> | undefined> {
    return this.probes[name]?.(now);
  }

  registerDelays(read: (span: Span) => Promise<DelayMinute[]>): void {
    this.readDelays = read;
  }

  /** Returns only minutes in which posts were found. */
  async delays(span: Span): Promise<DelayMinute[]> {
    return this.readDelays(span);
  }
}
