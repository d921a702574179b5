import { type ReactNode, useState } from 'react';
import { RelativeTime } from '../../../design/relative-time';
import { sourceName } from '../search/source-types';
import type { Lead } from './use-leads';

export function LeadsTable({ leads }: { leads: Lead[] }) {
  return (
    <div className="panel leads-table">
      <table>
        <caption className="hidden">Leads</caption>
        <thead>
          <tr>
            <th scope="col">Company</th>
            <th scope="col">Email</th>
            <th scope="col">Phone</th>
            <th scope="col">Address</th>
            <th scope="col">Found</th>
          </tr>
        </thead>
        <tbody>
          {leads.map((lead) => (
            <LeadRow key={lead.id} lead={lead} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function LeadRow({ lead }: { lead: Lead }) {
  const { name, domain, emails, phones, address, country, description, url, source_type, scraped_at } = lead;
  return (
    <tr>
      <th scope="row">
        <span className="lead-name">{name}</span>
        {domain && <Outside href={`https://${domain}`}>{domain}</Outside>}
        {description && <p className="lead-about soft">{description}</p>}
      </th>
      <td>
        <LongList items={emails} show={(email) => <a href={`mailto:${email}`}>{email}</a>} />
      </td>
      <td>
        <LongList items={phones} show={(phone) => <a href={`tel:${phone}`}>{phone}</a>} />
      </td>
      <td>
        {address} {country && <span className="soft">{country}</span>}
      </td>
      <td>
        {url && /^https?:/i.test(url) ? (
          <Outside href={url}>{sourceName(source_type)}</Outside>
        ) : (
          sourceName(source_type)
        )}
        <div className="soft">
          <RelativeTime at={scraped_at} />
        </div>
      </td>
    </tr>
  );
}

function Outside({ href, children }: { href: string; children: string }) {
  return (
    <a href={href} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  );
}

const MAX_COLLAPSED = 2;

interface Props {
  items: string[];
  show: (item: string) => ReactNode;
}

function LongList({ items, show }: Props) {
  const [all, setAll] = useState(false);
  const shown = all ? items : items.slice(0, MAX_COLLAPSED);
  return (
    <ul className="long-list">
      {shown.map((item) => (
        <li key={item}>{show(item)}</li>
      ))}
      {items.length > shown.length && (
        <li>
          <button type="button" className="quiet" onClick={() => setAll(true)}>
            {items.length - shown.length} more
          </button>
        </li>
      )}
    </ul>
  );
}
