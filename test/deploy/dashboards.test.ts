import { describe, expect, it } from 'vitest';
import { dashboards, textOf } from './deploy-files.js';

describe.each(dashboards())('the dashboard %s', (file, { panels, templating }) => {
  it('can be shown with any Prometheus', () => {
    expect(templating.list).toMatchObject([{ name: 'datasource', type: 'datasource' }]);
    const uids = [...textOf(`deploy/grafana/${file}`).matchAll(/"type": "prometheus", "uid": "(.*?)"/g)];
    expect(uids.length).toBeGreaterThan(0);
    expect(uids.filter(([, uid]) => uid !== `\${datasource}`)).toEqual([]);
  });

  it('has panels with ids and places of their own', () => {
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, at) => `${x + (at % w)} ${y + Math.floor(at / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
    expect(Math.max(...panels.map(({ gridPos: { x, w } }) => x + w))).toBeLessThanOrEqual(24);
  });

  it('takes numbers of the whole fleet once, though every process with the api role tells them', () => {
    const fleet =
      /(\w+ by \([^)]*\) \(|\w+\()millrace_(queue|rabbitmq|workers|sources|publications_due|platform|dead|canary|fetches_per|request_|freshness)\w*/g;
    const taken = panels.flatMap(({ targets }) => targets.flatMap(({ expr }) => [...expr.matchAll(fleet)]));
    expect(taken.filter(([, how = '']) => !/^max\b/.test(how)).map(([text]) => text)).toEqual([]);
  });
});

it('no two dashboards have the same address', () => {
  const uids = dashboards().map(([, { uid }]) => uid);
  expect(new Set(uids).size).toBe(uids.length);
});
