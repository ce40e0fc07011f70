import { numberFormat } from '@aisle/contract/kernel/formatters'
import type { ReactNode } from 'react'
import { BUSINESS_ZONE } from '../../ui/zone'
import { countText } from '../../admin/fields/number'
import { ScreenLink } from '../../admin/fields/ref'
import { Ago, When } from '../../admin/fields/time'
import { shortMoment, timeMark } from '../../ui/timeText'
import { TimeChart } from '../../ui/chart/timeChart'
import { currentLocale, useText } from '../../ui/text'
import type { Diagnosis } from './zdfx.diagnosis'
import styles from './maintenance.module.css'

const HOUR_MS = 3_600_000

/** What the advice is drawn from, so that nobody has to believe it. */
export function DiagnosisFacts({ diagnosis }: { diagnosis: Diagnosis }) {
  return (
    <>
      <Failures diagnosis={diagnosis} />
      <Codes diagnosis={diagnosis} />
      <Offline diagnosis={diagnosis} />
      <Temperature diagnosis={diagnosis} />
      <AlarmCounts diagnosis={diagnosis} />
    </>
  )
}

function Card({ title, note, children }: { title: string; note?: string; children: ReactNode }) {
  return (
    <section className={styles.diagnosisCard} aria-label={title}>
      <h2>{title}</h2>
      {note && <p className="quiet">{note}</p>}
      {children}
    </section>
  )
}

type Head = { word: string; isNumber?: boolean }

function Sheet({ label, heads, rows }: { label: string; heads: readonly Head[]; rows: readonly ReactNode[][] }) {
  return (
    <div className={styles.diagnosisScroll} tabIndex={0} role="region" aria-label={label}>
      <table className={styles.diagnosisTable}>
        <thead>
          <tr>
            {heads.map(({ word, isNumber }) => (
              <th key={word} scope="col" className={isNumber ? styles.number : undefined}>
                {word}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells, row) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the rows are drawn anew as a whole
            <tr key={row}>
              {cells.map((cell, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the cells stand in the order of the heads
                <td key={at} className={heads[at]?.isNumber ? styles.number : undefined}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Codes of parts that did what they should (docs/DEVICES.md). */
const FINE = ['', '100', '00', '01']

/** Leads to what is known to solve it; what has no code, or a good one, leads nowhere. */
function Solved({ by, children }: { by: Record<string, string>; children: string }) {
  if (Object.values(by).some((code) => FINE.includes(code))) return children
  return (
    <ScreenLink screen="shkf/jjfa" search={by}>
      {children}
    </ScreenLink>
  )
}

const percent = (part: number, whole: number): string =>
  numberFormat(currentLocale(), { style: 'percent', maximumFractionDigits: 1 }).format(whole === 0 ? 0 : part / whole)

function Failures({ diagnosis: { failures, vends, failed, days } }: { diagnosis: Diagnosis }) {
  const t = useText('maintenance')
  const figures = { days, vends: countText(vends), failed: countText(failed), share: percent(failed, vends) }
  return (
    <Card title={t('diagnosis.failures')} note={t('diagnosis.failures.note', figures)}>
      {failures.length > 0 && (
        <Sheet
          label={t('diagnosis.failures')}
          heads={[
            { word: t('diagnosis.slot') },
            { word: t('diagnosis.product') },
            { word: t('diagnosis.motor') },
            { word: t('diagnosis.sensor') },
            { word: t('diagnosis.count'), isNumber: true },
            { word: t('diagnosis.of'), isNumber: true },
            { word: t('diagnosis.last') },
          ]}
          rows={failures.map(({ slot, product, motorCode, sensorCode, count, of, lastAt }) => [
            slot,
            product,
            codeText(t, 'motor', motorCode),
            codeText(t, 'sensor', sensorCode),
            countText(count),
            `${countText(of)} (${percent(count, of)})`,
            <Ago key="at" at={lastAt} />,
          ])}
        />
      )}
    </Card>
  )
}

function codeText(t: ReturnType<typeof useText<'maintenance'>>, kind: 'motor' | 'sensor', code: string): string {
  const key = `${kind}.${code}`
  return code === '' ? '–' : t.has(key) ? `${code} ${t.any(key)}` : code
}

function Codes({ diagnosis: { codes } }: { diagnosis: Diagnosis }) {
  const t = useText('maintenance')
  if (codes.length === 0) return null
  return (
    <Card title={t('diagnosis.codes')}>
      <Sheet
        label={t('diagnosis.codes')}
        heads={[
          { word: t('diagnosis.motor') },
          { word: t('diagnosis.sensor') },
          { word: t('diagnosis.count'), isNumber: true },
          { word: t('diagnosis.slots'), isNumber: true },
        ]}
        rows={codes.map(({ motorCode, sensorCode, count, slots }) => [
          <Solved key="motor" by={{ q: motorCode }}>
            {codeText(t, 'motor', motorCode)}
          </Solved>,
          <Solved key="sensor" by={{ q: sensorCode }}>
            {codeText(t, 'sensor', sensorCode)}
          </Solved>,
          countText(count),
          countText(slots),
        ])}
      />
    </Card>
  )
}

function Offline({ diagnosis: { offline, offlineHours, days } }: { diagnosis: Diagnosis }) {
  const t = useText('maintenance')
  const hours = countText(offlineHours)
  const note = offline.length === 0 ? t('diagnosis.offline.none', { days }) : undefined
  return (
    <Card
      title={t('diagnosis.offline')}
      note={note ?? t('diagnosis.offline.note', { days, count: countText(offline.length), hours })}
    >
      {offline.length > 0 && (
        <Sheet
          label={t('diagnosis.offline')}
          heads={[{ word: t('diagnosis.from') }, { word: t('diagnosis.to') }]}
          rows={offline.map(({ from, to }) => [
            <When key="from" at={from} />,
            to ? <When key="to" at={to} /> : t('diagnosis.lasting'),
          ])}
        />
      )}
    </Card>
  )
}

const celsiusText = (value: number): string => `${countText(value)} °C`

function Temperature({ diagnosis: { temperature, days } }: { diagnosis: Diagnosis }) {
  const t = useText('maintenance')
  const { points, min, max } = temperature
  const line = points.map(({ at, celsius }) => ({ at: Date.parse(at), value: celsius }))
  return (
    <Card title={t('diagnosis.temperature')}>
      {line.length === 0 ? (
        <p className="quiet">{t('diagnosis.temperature.none', { days })}</p>
      ) : (
        <TimeChart
          label={t('diagnosis.temperature')}
          lines={[{ label: t('diagnosis.temperature'), shape: 'line', colour: '--primary', points: line }]}
          zone={BUSINESS_ZONE}
          limits={[min, max].flatMap((limit) => limit ?? [])}
          longest={2 * HOUR_MS}
          valueText={celsiusText}
          atText={(at) => shortMoment(at, currentLocale())}
          markText={(at, isDay) => timeMark(at, isDay, currentLocale())}
        />
      )}
    </Card>
  )
}

function AlarmCounts({ diagnosis: { alarms, code } }: { diagnosis: Diagnosis }) {
  const t = useText('maintenance')
  const words = useText('alarm')
  if (alarms.length === 0) return null
  return (
    <Card title={t('diagnosis.alarms')}>
      <Sheet
        label={`${t('diagnosis.alarms')} ${code}`}
        heads={[
          { word: words('field.cause') },
          { word: t('diagnosis.count'), isNumber: true },
          { word: t('diagnosis.hours'), isNumber: true },
        ]}
        rows={alarms.map(({ cause, count, hours }) => [
          <Solved key="cause" by={{ cause }}>
            {words(`cause.${cause}`)}
          </Solved>,
          countText(count),
          countText(hours),
        ])}
      />
    </Card>
  )
}
