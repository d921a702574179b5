import { describe, expect, it } from 'vitest';
import { atomOf, entry, item, jsonOf, postOf, rssOf } from '../../../test/fetching/made-feeds.js';
import { FieldMapping } from './field-mapping.js';
import { JOB_FIELDS } from './job-fields.js';

const PATHS = Object.fromEntries(Object.entries(JOB_FIELDS).map(([name, { from }]) => [name, from]));
const jobIn = (document: string) => postOf(document, { fields: PATHS }).fields;

describe('the fields of jobs', () => {
  it('could have been written by a user', () => {
    expect(FieldMapping.parse(JOB_FIELDS)).toEqual(JOB_FIELDS);
  });

  it('are read from plain elements', () => {
    const job = item(
      '<title>Baker</title><company>Bread &amp; Co.</company><location>Berlin</location>',
      '<salary>€ 40,000</salary><category>Food</category><category>Craft</category>',
    );
    expect(jobIn(rssOf(job))).toEqual({
      title: 'Baker',
      company: 'Bread & Co.',
      location: 'Berlin',
      salary: '€ 40,000',
      category: ['Food', 'Craft'],
    });
  });

  it('are read from a feed of WP Job Manager', () => {
    const job = item(
      '<title>Baker</title><link>https://jobs.example/1</link>',
      '<job_listing:location><![CDATA[Portland, OR]]></job_listing:location>',
      '<job_listing:job_type><![CDATA[Full Time, Early]]></job_listing:job_type>',
      '<job_listing:salary><![CDATA[40000]]></job_listing:salary>',
      '<job_listing:job_category>Food</job_listing:job_category>',
      '<job_listing:company><![CDATA[Bread &amp; Co.]]></job_listing:company>',
    );
    expect(jobIn(rssOf(job))).toEqual({
      title: 'Baker',
      company: 'Bread & Co.',
      location: 'Portland, OR',
      salary: '40000',
      category: 'Food',
      jobType: 'Full Time, Early',
    });
  });

  it('are read from elements as Indeed names them', () => {
    const job = item(
      '<title><![CDATA[Baker]]></title><referencenumber>7</referencenumber><company><![CDATA[Bread]]></company>',
      '<city>Phoenix</city><state>AZ</state><country>US</country><salary>$50K per year</salary>',
      '<jobtype>fulltime</jobtype><category>Food, Craft</category>',
    );
    expect(jobIn(rssOf(job))).toEqual({
      title: 'Baker',
      company: 'Bread',
      location: 'Phoenix',
      city: 'Phoenix',
      state: 'AZ',
      country: 'US',
      salary: '$50K per year',
      category: 'Food, Craft',
      jobType: 'fulltime',
    });
  });

  it('are read from Google Base', () => {
    const job = item(
      '<title>Baker</title><g:id>7</g:id><g:employer>Bread </g:employer><g:job_function>Baking</g:job_function>',
      '<g:location>London, LND, GB</g:location><g:salary>30000</g:salary><g:job_type>Full-time</g:job_type>',
    );
    expect(jobIn(rssOf(job))).toEqual({
      title: 'Baker',
      company: 'Bread',
      location: 'London, LND, GB',
      salary: '30000',
      category: 'Baking',
      jobType: 'Full-time',
    });
  });

  it('are read from Atom and JSON', () => {
    const inAtom = '<id>1</id><title>Baker</title><category term="food" label="Food"/><category term="craft"/>';
    expect(jobIn(atomOf(entry(inAtom)))).toEqual({ title: 'Baker', category: 'Food' });
    const inJson = { id: '1', title: 'Baker', company: 'Bread', salary: 40_000, tags: ['Food', 'Craft'] };
    expect(jobIn(jsonOf({ title: 'Jobs', items: [inJson] }))).toEqual({
      title: 'Baker',
      company: 'Bread',
      salary: '40000',
      category: ['Food', 'Craft'],
    });
  });

  it('are not made of an author', () => {
    expect(jobIn(rssOf(item('<title>Baker</title><dc:creator>Ann</dc:creator>')))).toEqual({ title: 'Baker' });
  });
});
