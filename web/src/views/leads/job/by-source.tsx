import { Badge } from '../../../design/badge';
import { type JobPart, STATUS_LABELS } from '../scrape-job';
import { sourceName } from '../search/source-types';

export function BySource({ parts }: { parts: JobPart[] }) {
  return (
    <table className="by-source">
      <caption className="hidden">By source type</caption>
      <thead>
        <tr>
          <th scope="col">Source</th>
          <th scope="col">State</th>
          <th scope="col" className="number">
            Found
          </th>
          <th scope="col" className="number">
            Kept
          </th>
          <th scope="col" className="number">
            New
          </th>
        </tr>
      </thead>
      <tbody>
        {parts.map((part) => (
          <PartRows key={part.source_type} {...part} />
        ))}
      </tbody>
    </table>
  );
}

function PartRows({ source_type, status, found, processed, duplicates, error, ignored_filters }: JobPart) {
  return (
    <>
      <tr>
        <td>{sourceName(source_type)}</td>
        <td>
          <Badge tone={STATUS_LABELS[status].tone}>{STATUS_LABELS[status].name}</Badge>
        </td>
        <td className="number">{found}</td>
        <td className="number">{processed}</td>
        <td className="number">{processed - duplicates}</td>
      </tr>
      {ignored_filters.length > 0 && (
        <tr>
          <td colSpan={5} className="hint part-error">
            Filters that this source cannot apply: {ignored_filters.join(', ')}.
          </td>
        </tr>
      )}
      {error && (
        <tr>
          <td colSpan={5} className="mistake part-error">
            {error}
          </td>
        </tr>
      )}
    </>
  );
}
