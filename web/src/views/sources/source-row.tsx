import { Link } from 'wouter';
import { RelativeTime } from '../../design/relative-time';
import { SourceIcon } from '../../design/source-icon';
import { FreshnessMeter } from './freshness-meter';
import { nameOf, type Source } from './source';
import { StateBadge } from './state-badge';

interface Props {
  source: Source;
  rowIndex: number;
}

export function SourceRow({ source, rowIndex }: Props) {
  const { id, type, folder, lastPostAt, condition } = source;
  const reason = condition.state === 'ok' ? undefined : condition.reason;
  const tone = condition.state === 'failing' || condition.state === 'gone' ? 'mistake' : 'soft';
  return (
    <tr className="source-row" aria-rowindex={rowIndex}>
      <td className="source-row-name">
        <span className="source-row-title">
          <SourceIcon url={source.iconUrl} name={nameOf(source)} />
          <Link id={rowId(id)} href={`/sources/${id}`} className="cut">
            {nameOf(source)}
          </Link>
        </span>
        <span className={`small cut ${tone}`} title={reason}>
          {reason ?? [type, folder, hostOf(source)].filter(Boolean).join(' · ')}
        </span>
      </td>
      <td>
        <StateBadge state={condition.state} />
      </td>
      <td className="source-row-fresh">
        <FreshnessMeter source={source} />
      </td>
      <td className="small source-row-post">
        <span className="source-row-label">Last post </span>
        {lastPostAt ? <RelativeTime at={lastPostAt} /> : <span className="soft">none yet</span>}
      </td>
    </tr>
  );
}

export const rowId = (sourceId: string) => `source-${sourceId}`;

const hostOf = ({ externalId }: Source) => (URL.canParse(externalId) ? new URL(externalId).host : externalId);
