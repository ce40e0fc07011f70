import { useState } from 'react'
import { useNow } from '../../live/clock'
import { useText } from '../../ui/text'
import { businessDay, dayPresets, presetNames } from '../../ui/days'
import type { ListAddress } from '../../admin/useAddress'
import { ChoiceInput, DayChoice } from '../../ui/control/filters'
import { Completeness } from './completeness'
import styles from './report.module.css'

const MINUTE_MS = 60_000

/**
 * Above every report: of which time, told apart by what, and how whole the figures are.
 * @param props.top the order in which things are told when they are not times
 * @param props.isCompared whether its figures stand beside those of another time
 */
export function ReportHead(props: Head) {
  const { address, groups = [], top = 'net', note, isCompared = true } = props
  return (
    <div className={styles.head}>
      <div className={styles.times}>
        <PeriodBar address={address} />
        {isCompared && <AgainstChoice address={address} />}
      </div>
      {groups.length > 0 && <GroupBar address={address} groups={groups} top={top} />}
      <Completeness query={address.query} />
      {note && <p className="quiet">{note}</p>}
    </div>
  )
}

type Head = {
  address: ListAddress
  groups?: readonly string[]
  top?: string
  note?: string
  isCompared?: boolean
}

/** The days before, the same a year ago, or as many from any day on. */
function AgainstChoice({ address }: { address: ListAddress }) {
  const t = useText('report')
  const { against = '' } = address.query
  const [isPicking, setIsPicking] = useState(false)
  const isDay = isPicking || (against !== '' && against !== 'lastYear')
  const pick = (choice: string) => {
    setIsPicking(choice === 'day')
    if (choice !== 'day') address.change({ against: choice || undefined })
  }
  return (
    <>
      <ChoiceInput
        label={t('against.with')}
        value={isDay ? 'day' : against}
        all={t('against.before')}
        options={[
          { value: 'lastYear', word: t('against.lastYear') },
          { value: 'day', word: t('against.day') },
        ]}
        onChange={pick}
      />
      {isDay && (
        <DayChoice
          label={t('against.from')}
          value={against === 'lastYear' ? '' : against}
          onChange={(day) => address.change({ against: day || undefined })}
        />
      )}
    </>
  )
}

function PeriodBar({ address }: { address: ListAddress }) {
  const t = useText('report')
  const kit = useText('admin')
  const today = businessDay(useNow(MINUTE_MS))
  const { from, to } = address.query
  return (
    <div className={styles.bar} role="group" aria-label={t('preset')}>
      {presetNames.map((name) => {
        const days = dayPresets[name](today)
        // What a report shows by itself.
        const isShipped = name === 'last30Days'
        const isOn = from || to ? from === days.from && to === days.to : isShipped
        return (
          <button
            key={name}
            type="button"
            aria-pressed={isOn}
            onClick={() => address.change(isShipped ? { from: undefined, to: undefined } : days)}
          >
            {kit(`preset.${name}`)}
          </button>
        )
      })}
    </div>
  )
}

export const times: ReadonlySet<string> = new Set(['day', 'week', 'month'])

type Grouping = { groups: readonly string[]; top: string }

function GroupBar({ address, groups, top }: Grouping & { address: ListAddress }) {
  const t = useText('report')
  const [first] = groups
  const current = address.query.by ?? first
  // Times in their order; of things those first that weigh most.
  const pick = (by: string) =>
    address.change({ by: by === first ? undefined : by, sort: times.has(by) ? 'group' : top })
  return (
    <div className={styles.bar} role="group" aria-label={t('by')}>
      {groups.map((by) => (
        <button key={by} type="button" aria-pressed={by === current} onClick={() => pick(by)}>
          {t.any(`by.${by}`)}
        </button>
      ))}
    </div>
  )
}
