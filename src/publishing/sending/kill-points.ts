import { Injectable } from '@nestjs/common';

/** The moments at which a crash is most likely to lose or double a post. */
export const MOMENTS = [
  'due and not claimed',
  'claimed and not sent',
  'between two steps',
  'sent and not answered',
  'answered and not committed',
  'committed and not acknowledged',
  'refreshing credentials',
] as const;
export type Moment = (typeof MOMENTS)[number];

/** Lets test programs end their process at a given moment. It does nothing otherwise. */
@Injectable()
export class KillPoints {
  /** Test programs set it before they start Millrace. */
  static atMoment: (moment: Moment, publicationIds: string[]) => Promise<void> = async () => undefined;

  /** Jobs need not pass an id, because the job itself identifies its publication. */
  reach(moment: Moment, publicationIds: string[] = []): Promise<void> {
    return KillPoints.atMoment(moment, publicationIds);
  }
}
