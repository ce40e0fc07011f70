import { getTemperatures, releaseSlots, signTemperatures } from '@aisle/contract/device/temperature'
import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { useState } from 'react'
import { CommandButton } from '../../../admin/commandButton'
import { businessDay, dayBefore } from '../../../ui/days'
import { BUSINESS_ZONE } from '../../../ui/zone'
import { Failure } from '../../../admin/failure'
import { countText } from '../../../admin/fields/number'
import { withUnit } from '../../../admin/fields/reading'
import { Day } from '../../../admin/fields/time'
import { shortMoment, timeMark } from '../../../ui/timeText'
import { useNow } from '../../../live/clock'
import { useEndpoint } from '../../../live/query'
import { TimeChart } from '../../../ui/chart/timeChart'
import { Section } from '../../../ui/feedback/drawer'
import { Tag } from '../../../ui/tag'
import { currentLocale, useText } from '../../../ui/text'
import styles from './machine.module.css'

type Temperatures = OutputOf<typeof getTemperatures>
const spans = [1, 7, 30] as const
const MINUTE_MS = 60_000
const probeColours = ['--primary', '--good', '--warn', '--muted'] as const
const celsiusText = (value: number): string => withUnit(value, 'celsius')

/** For the pharmacist each morning: was it cool all day, is the record whole, and a signature below it. */
export function MachineTemperature({ id }: { id: number }) {
  const t = useText('device')
  const [days, setDays] = useState<(typeof spans)[number]>(1)
  const to = businessDay(useNow(MINUTE_MS))
  const input = { id, from: dayBefore(to, days - 1), to }
  const { data, error, refetch } = useEndpoint(getTemperatures, input, { errors: 'throw' })
  if (!data) return error ? <Failure failure={error} retry={() => void refetch()} /> : <div className="bone" />
  return (
    <div className={styles.live}>
      <div className="tags" role="group" aria-label={t('temperature.span')}>
        {spans.map((each) => (
          <button key={each} type="button" className="btn" aria-pressed={each === days} onClick={() => setDays(each)}>
            {t(`temperature.days.${each}`)}
          </button>
        ))}
      </div>
      {data.heldSlots.length > 0 && <Held id={id} slots={data.heldSlots} />}
      {data.points.length === 0 ? <p className="quiet">{t('temperature.none')}</p> : <Climate data={data} />}
      {data.days.length > 0 && <Days id={id} days={data.days} />}
    </div>
  )
}

function Held({ id, slots }: { id: number; slots: readonly string[] }) {
  const t = useText('device')
  return (
    <div className={styles.stale}>
      <p>{t('temperature.held', { slots: slots.join(' '), count: slots.length })}</p>
      <CommandButton
        endpoint={releaseSlots}
        verb="releaseSlots"
        t={t}
        target={{ id }}
        vars={{ count: slots.length }}
        changes={[getTemperatures]}
      />
    </div>
  )
}

function Climate({ data }: { data: Temperatures }) {
  const t = useText('device')
  const { points, minC, maxC, silences, spanMs } = data
  const probes = [...new Set(points.map(({ probe }) => probe))]
  const lines = probes.map((probe, index) => ({
    label: t('temperature.probe', { number: probe }),
    shape: 'line' as const,
    colour: probeColours[index % probeColours.length] ?? '--primary',
    points: points
      .filter((point) => point.probe === probe)
      .map(({ at, celsius, lowest, highest }) => ({ at: Date.parse(at), value: celsius, low: lowest, high: highest })),
  }))
  const figures = {
    lowest: celsiusText(Math.min(...points.map(({ lowest }) => lowest))),
    highest: celsiusText(Math.max(...points.map(({ highest }) => highest))),
  }
  return (
    <Section title={t('temperature.curve', figures)} note={limitText(minC, maxC, t)}>
      <TimeChart
        label={t('temperature.curve', figures)}
        lines={lines}
        zone={BUSINESS_ZONE}
        limits={[minC, maxC].flatMap((limit) => limit ?? [])}
        longest={Math.max(31 * MINUTE_MS, 2 * spanMs)}
        silences={silences.map(({ from, to }) => ({ from: Date.parse(from), to: Date.parse(to) }))}
        valueText={celsiusText}
        atText={(at) => shortMoment(at, currentLocale())}
        markText={(at, isDay) => timeMark(at, isDay, currentLocale())}
      />
      {silences.length > 0 && (
        <p className={styles.stale}>{t('temperature.silences', { count: countText(silences.length) })}</p>
      )}
    </Section>
  )
}

function limitText(min: number | null, max: number | null, t: ReturnType<typeof useText<'device'>>): string {
  if (min === null && max === null) return t('temperature.noLimits')
  const [from, to] = [min, max].map((limit) => (limit === null ? '…' : celsiusText(limit)))
  return t('temperature.limits', { from: from ?? '…', to: to ?? '…' })
}

function Days({ id, days }: { id: number; days: Temperatures['days'] }) {
  const t = useText('device')
  const today = businessDay(useNow(MINUTE_MS))
  return (
    <Section title={t('temperature.record')} note={t('temperature.record.help')}>
      <ul className={styles.wire}>
        {days.map((each) => (
          <li key={each.day}>
            <span>
              <Day on={each.day} />
            </span>
            {each.isWhole ? (
              <Tag tone="good" word={t('temperature.whole')} hint={t('temperature.whole.help')} />
            ) : (
              <Tag tone="bad" word={t('temperature.changed')} hint={t('temperature.changed.help')} />
            )}
            <span className={styles.wireWhen}>{t('temperature.records', { count: countText(each.records) })}</span>
            <span className={styles.wireNote}>
              {celsiusText(each.lowestC ?? 0)} – {celsiusText(each.highestC ?? 0)}
              {each.signedBy && ` · ${t('temperature.signed', { name: each.signedBy })}`}
              {each.addedSince > 0 && ` · ${t('temperature.added', { count: countText(each.addedSince) })}`}
            </span>
            {each.day < today && (each.signedBy === null || each.addedSince > 0) && (
              <CommandButton
                endpoint={signTemperatures}
                verb="signTemperatures"
                t={t}
                target={{ id, day: each.day }}
                vars={{ day: each.day }}
                isEnabled={each.isWhole}
                changes={[getTemperatures]}
              />
            )}
          </li>
        ))}
      </ul>
    </Section>
  )
}
