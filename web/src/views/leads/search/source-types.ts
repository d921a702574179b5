interface SourceType {
  type: string;
  name: string;
  about: string;
}

export const SOURCE_TYPES: readonly SourceType[] = [
  { type: 'web', name: 'Specific sites', about: 'Reads each site and its contact pages. Enter the sites below.' },
  {
    type: 'openstreetmap',
    name: 'OpenStreetMap',
    about: 'Places on the map. Requires a place, and an industry or keywords.',
  },
  {
    type: 'google',
    name: 'Web search',
    about:
      'Company sites. Requires a search provider: set MILLRACE_SEARCH_URL to the address of a SearXNG server, ' +
      'or MILLRACE_SEARCH_PROVIDER and MILLRACE_SEARCH_KEY.',
  },
  {
    type: 'linkedin',
    name: 'LinkedIn',
    about: 'Company pages. Requires the same search provider.',
  },
  {
    type: 'crunchbase',
    name: 'Crunchbase',
    about: 'Companies, best match first. Requires a Crunchbase key in the configuration.',
  },
];

export const sourceName = (type: string) => SOURCE_TYPES.find((one) => one.type === type)?.name ?? type;
