import { useState } from 'react';

interface Props {
  url: string | null | undefined;
  name: string;
}

/** Without an icon, the first letter takes the same space, so that nothing moves when one becomes known. */
export function SourceIcon({ url, name }: Props) {
  const [brokenUrl, setBrokenUrl] = useState<string>();
  if (!url || url === brokenUrl)
    return (
      <span className="source-icon source-letter" aria-hidden="true">
        {[...name.trim()][0]?.toUpperCase() ?? ''}
      </span>
    );
  return (
    <img
      className="source-icon"
      src={url}
      alt=""
      width={16}
      height={16}
      loading="lazy"
      decoding="async"
      onError={() => setBrokenUrl(url)}
    />
  );
}
