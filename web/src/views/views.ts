import { type ComponentType, lazy } from 'react';

export interface View {
  path: string;
  name: string;
  /** Shown on phones. */
  shortName?: string | undefined;
  /** SVG path on a 24 × 24 grid. */
  icon: string;
  /** The shortcut is `g` followed by this key. */
  key: string;
  adminOnly?: true;
  /** Renders `path` and everything below it. */
  Show: ComponentType;
}

const show = <Name extends string>(load: () => Promise<Record<Name, ComponentType>>, name: Name) =>
  lazy(async () => ({ default: (await load())[name] }));

/** In the order of the navigation. The first one is the start page. */
export const VIEWS: readonly View[] = [
  {
    path: '/feed',
    name: 'Feed',
    key: 'f',
    icon: 'M5 5h14M5 10h14M5 15h9M5 20h6',
    Show: show(() => import('./feed/feed-view'), 'FeedView'),
  },
  {
    path: '/sources',
    name: 'Sources',
    key: 's',
    icon: 'M5 19a14 14 0 0 1 14-14M5 19a8 8 0 0 1 8-8M5 19h.01',
    Show: show(() => import('./sources/sources-view'), 'SourcesView'),
  },
  {
    path: '/imports',
    name: 'Imports',
    key: 'i',
    icon: 'M12 4v11m-4-4 4 4 4-4M5 20h14',
    Show: show(() => import('./imports/imports-view'), 'ImportsView'),
  },
  {
    path: '/leads',
    name: 'Leads',
    key: 'l',
    icon: 'M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13ZM20 20l-4.9-4.9',
    Show: show(() => import('./leads/leads-view'), 'LeadsView'),
  },
  {
    path: '/publish',
    name: 'Publish',
    key: 'p',
    icon: 'M4 12 20 5l-5 15-3.5-6.5L4 12Z',
    Show: show(() => import('./publish/publish-view'), 'PublishView'),
  },
  {
    path: '/apps',
    name: 'Apps',
    key: 'a',
    icon: 'M8 3h8a1 1 0 0 1 1 1v16a1 1 0 0 1-1 1H8a1 1 0 0 1-1-1V4a1 1 0 0 1 1-1ZM11 18h2',
    Show: show(() => import('./apps/apps-view'), 'AppsView'),
  },
  {
    path: '/dead-letters',
    name: 'Dead letters',
    shortName: 'Failed',
    key: 'd',
    icon: 'M4 7h16v11H4zM4 8l8 6 8-6',
    adminOnly: true,
    Show: show(() => import('./dead-letters/dead-letters-view'), 'DeadLettersView'),
  },
  {
    path: '/health',
    name: 'Health',
    key: 'h',
    icon: 'M3 12h4l3-7 4 14 3-7h4',
    adminOnly: true,
    Show: show(() => import('./health/health-view'), 'HealthView'),
  },
];
