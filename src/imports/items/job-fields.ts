import type { FieldMapping } from './field-mapping.js';

/**
 * Where job feeds say what a job board asks for: in plain elements, as WP Job Manager (`job_listing:company`), as Google Base
 * (`g:employer`), as Indeed (`jobtype`). A name without a prefix finds those with one, too.
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
    // Atom's, whose categories are attributes.
    'category@label',
    'category@term',
    'job_category',
    'job_function',
    'job_industry',
    // JSON Feed's.
    'tags',
  ),
  jobType: firstOf('jobtype', 'job_type', 'employment_type'),
};

function firstOf(...from: string[]): FieldMapping[string] {
  return { from, required: false };
}
