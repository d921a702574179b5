import type { FieldMapping } from './field-mapping.js';

/**
 * The names come from plain elements, WP Job Manager (`job_listing:company`), Google Base (`g:employer`) and Indeed
 * (`jobtype`). A name without a prefix also matches names with one.
 */
export const JOB_FIELDS: FieldMapping = {
  title: firstOf('title', 'jobtitle', 'job_title'),
  company: firstOf('company', 'employer', 'company_name', 'companyname'),
  location: firstOf('location', 'job_location', 'city', 'region', 'state', 'country'),
  city: firstOf('city', 'location/city'),
  state: firstOf('state', 'location/state'),
  country: firstOf('country', 'location/country'),
  salary: firstOf('salary', 'compensation', 'salary_range'),
  category: firstOf(
    'category',
    // Atom categories are attributes.
    'category@label',
    'category@term',
    'job_category',
    'job_function',
    'job_industry',
    // JSON Feed uses tags.
    'tags',
  ),
  jobType: firstOf('jobtype', 'job_type', 'employment_type'),
};

function firstOf(...from: string[]): FieldMapping[string] {
  return { from, required: false };
}
