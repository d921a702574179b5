interface Props {
  value: string;
  onChange: (zone: string) => void;
  id?: string;
  'aria-describedby'?: string | undefined;
  'aria-invalid'?: boolean | undefined;
}

const ZONES = [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])];

/** Also offers the current value if the browser does not know it. */
export function ZoneSelect({ value, onChange, ...rest }: Props) {
  const zones = ZONES.includes(value) ? ZONES : [value, ...ZONES];
  return (
    <select {...rest} value={value} onChange={({ target }) => onChange(target.value)}>
      {zones.map((zone) => (
        <option key={zone} value={zone}>
          {zone.replaceAll('_', ' ')}
        </option>
      ))}
    </select>
  );
}
