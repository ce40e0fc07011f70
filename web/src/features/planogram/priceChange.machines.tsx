import { moneyText } from '@aisle/contract/kernel/text'
import {
  getPricedSlots,
  listPricedMachines,
  type PricedMachine,
  type PricedSlot,
  pricedTones,
} from '@aisle/contract/planogram/priceChange'
import { useState } from 'react'
import { Failure } from '../../admin/failure'
import { ScreenLink } from '../../admin/fields/ref'
import { useEndpoint } from '../../live/query'
import { classes } from '../../ui/classes'
import { SearchInput } from '../../ui/control/filters'
import { Section } from '../../ui/feedback/drawer'
import { Tag } from '../../ui/tag'
import { useLanguage, useText } from '../../ui/text'
import styles from './priceChange.module.css'

const FIRST = 20
const MOST = 200

/** Machine by machine; each opens slot by slot. Those that are not on the page are found by their code. */
export function PricedMachines({ id }: { id: number }) {
  const t = useText('planogram')
  const [machine, setMachine] = useState('')
  const [pageSize, setPageSize] = useState(FIRST)
  const [open, setOpen] = useState<number | null>(null)
  const asked = { id, pageSize, ...(machine && { machine }) }
  const found = useEndpoint(listPricedMachines, asked, { errors: 'throw', placeholderData: (before) => before })
  const items = found.data?.items ?? []
  return (
    <Section title={t('price.machines')}>
      <SearchInput label={t('field.machine')} hint={t('field.machine')} value={machine} onChange={setMachine} />
      {found.error && <Failure failure={found.error} retry={() => void found.refetch()} />}
      {!found.data && !found.error && <div className={classes('bone', styles.bone)} />}
      <ul className={styles.machines}>
        {items.map((each) => (
          <li key={each.id}>
            <MachineLine
              machine={each}
              isOpen={open === each.id}
              onOpen={() => setOpen(open === each.id ? null : each.id)}
            />
            {open === each.id && <Slots id={id} machineId={each.id} />}
          </li>
        ))}
      </ul>
      {found.data?.nextCursor && pageSize < MOST && (
        <button type="button" className="btn" onClick={() => setPageSize(MOST)}>
          {t('price.more')}
        </button>
      )}
    </Section>
  )
}

function MachineLine(props: { machine: PricedMachine; isOpen: boolean; onOpen: () => void }) {
  const { machine, isOpen, onOpen } = props
  const t = useText('planogram')
  const device = useText('device')
  const { id, code, name, changes, skipped, command } = machine
  return (
    <div className={styles.line}>
      <span>
        <ScreenLink screen="shj/hdgl" search={{ id: String(id) }}>
          {code}
        </ScreenLink>{' '}
        {name}
      </span>
      <small className="quiet">{t('price.counts', { changes, skipped })}</small>
      {command && (
        <Tag
          tone={command === 'done' ? 'good' : 'busy'}
          word={device(`commandState.${command}`)}
          hint={device.any(`commandState.${command}.help`)}
        />
      )}
      <button type="button" className="btn-plain" aria-expanded={isOpen} onClick={onOpen}>
        {t('price.slotsOf', { code })}
      </button>
    </div>
  )
}

function Slots({ id, machineId }: { id: number; machineId: number }) {
  const found = useEndpoint(getPricedSlots, { id, machineId }, { errors: 'throw' })
  if (found.error) return <Failure failure={found.error} retry={() => void found.refetch()} />
  if (!found.data) return <div className={classes('bone', styles.bone)} />
  return (
    <ul className={styles.lines}>
      {found.data.slots.map((slot) => (
        <SlotLine key={slot.id} slot={slot} />
      ))}
    </ul>
  )
}

function SlotLine({ slot }: { slot: PricedSlot }) {
  const t = useText('planogram')
  const language = useLanguage()
  const { code, productName, isNext, beforeFen, afterFen, nowFen, reportedFen, state, why } = slot
  const say = (fen: number | null) => (fen === null ? '–' : moneyText(fen, language))
  const isSaid = reportedFen !== null
  return (
    <li>
      <span>
        <b>{code}</b> {productName}
      </span>
      <span>
        <del>{say(beforeFen)}</del> {afterFen !== null && <ins>{say(afterFen)}</ins>}
      </span>
      <Tag tone={pricedTones[state]} word={t(`pricedState.${state}`)} />
      <small className="quiet">
        {[
          why && t(`priceWhy.${why}`),
          t('price.now', { price: say(nowFen) }),
          isNext && t('price.next'),
          !isNext && (isSaid ? t('price.reported', { price: say(reportedFen) }) : t('price.unreported')),
        ]
          .filter(Boolean)
          .join(' · ')}
      </small>
    </li>
  )
}
