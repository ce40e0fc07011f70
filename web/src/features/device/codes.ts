import type { Text } from '../../ui/text'

/** What motor and sensor said, as two facts; a code that no catalog knows is shown as it is. */
export function codesText(
  { motorCode, sensorCode }: { motorCode: string | null; sensorCode: string | null },
  t: Text<'device'>,
): string {
  const worded = (code: string | null, key: string) => code && `${code} ${t.has(key) ? t.any(key) : ''}`.trim()
  return [worded(motorCode, `motorCode.${motorCode}`), worded(sensorCode, `sensorCode.${sensorCode}`)]
    .filter(Boolean)
    .join(' · ')
}
