interface SourceType {
  type: string;
  name: string;
  /** What it looks at, and what it needs. */
  about: string;
}

export const SOURCE_TYPES: readonly SourceType[] = [
  { type: 'web', name: 'Sites you name', about: 'Reads each site and its contact pages. Needs their addresses below.' },
  {
    type: 'openstreetmap',
    name: 'OpenStreetMap',
    about: 'Places on the map. Needs a place, and an industry or keywords.',
  },
  { type: 'google', name: 'Google', about: 'Companies’ sites. Needs a search key in the configuration.' },
  { type: 'linkedin', name: 'LinkedIn', about: 'Company pages, through the same search. Needs the same key.' },
  {
    type: 'crunchbase',
    name: 'Crunchbase',
    about: 'Companies, the best known first. Needs its key in the configuration.',
  },
];

export const sourceName = (type: string) => SOURCE_TYPES.find((one) => one.type === type)?.name ?? type;
