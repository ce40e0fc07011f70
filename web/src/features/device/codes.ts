import type { Text } from '../../ui/text'

/** What motor and sensor said, as two facts; a code that no catalog knows is shown as it is. */
export function codesText(
  { motorCode, sensorCode }: { motorCode: string | null; sensorCode: string | null },
  t: Text<'device'>,
): string {
  const worded = (kind: 'motorCode' | 'sensorCode', code: string | null) =>
    code && `${code} ${t.has(`${kind}.${code}`) ? t.any(`${kind}.${code}`) : ''}`.trim()
  return [worded('motorCode', motorCode), worded('sensorCode', sensorCode)].filter(Boolean).join(' · ')
}
