import { listSeers, type Seer, sightReasons } from '@aisle/contract/sight/why'
import { useState } from 'react'
import { businessDay } from '../../../ui/days'
import { Failure } from '../../../admin/failure'
import { countText } from '../../../admin/fields/number'
import { Ago } from '../../../admin/fields/time'
import { useEndpoint } from '../../../live/query'
import { Section } from '../../../ui/feedback/drawer'
import { KeyPager } from '../../../shelf/keyPager'
import { type Text, useText } from '../../../ui/text'
import styles from './machine.module.css'

const SHOWN = 100

/** Who can see this machine, and why: for whoever wonders why somebody does, or does not. */
export function MachineSeers({ id }: { id: number }) {
  const t = useText('sight')
  const [cursor, setCursor] = useState<string>()
  const input = { id, pageSize: SHOWN, ...(cursor ? { cursor } : {}) }
  const { data, error, refetch } = useEndpoint(listSeers, input, { errors: 'throw' })
  const { people = 0, others = 0 } = useEndpoint(listSeers.count, { id }, { errors: 'silent' }).data?.sums ?? {}
  if (!data) return error ? <Failure failure={error} retry={() => void refetch()} /> : <div className="bone" />
  const groups = sightReasons.map((reason) => ({ reason, seers: data.items.filter((each) => each.reason === reason) }))
  return (
    <div className={styles.live}>
      {people > 0 && <p>{t('seers.count', { count: countText(people) })}</p>}
      {data.items.length === 0 && <p className="quiet">{t('seers.none')}</p>}
      {groups
        .filter(({ seers }) => seers.length > 0)
        .map(({ reason, seers }) => (
          <Section key={reason} title={t(`reason.${reason}`)} note={t(`reason.${reason}.help`)}>
            <ul className={styles.wire}>
              {seers.map((seer) => (
                <SeerLine key={seer.id} seer={seer} t={t} />
              ))}
            </ul>
          </Section>
        ))}
      {others > 0 && <p className="quiet">{t('seers.others', { count: countText(others) })}</p>}
      <KeyPager cursor={cursor} next={data.nextCursor} turn={setCursor} />
    </div>
  )
}

function SeerLine({ seer, t }: { seer: Seer; t: Text<'sight'> }) {
  const { name, account, merchantName, via, since, until } = seer
  const isThroughOther = via !== null && via !== merchantName
  const notes = [
    merchantName,
    isThroughOther && t('seers.via', { via }),
    until && t('state.until', { day: businessDay(Date.parse(until) - 1) }),
  ]
  return (
    <li>
      <span>
        {name} <span className="quiet">{account}</span>
      </span>
      <span />
      <span className={styles.wireWhen}>{since && <Ago at={since} />}</span>
      <span className={styles.wireNote}>{notes.filter(Boolean).join(' · ')}</span>
    </li>
  )
}
