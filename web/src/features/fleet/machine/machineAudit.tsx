import { getAuditFiles, isCountApart, isPriceApart } from '@aisle/contract/device/audit'
import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { Failure } from '../../../admin/failure'
import { countText } from '../../../admin/fields/number'
import { Ago, When } from '../../../admin/fields/time'
import { useEndpoint } from '../../../live/query'
import { Section } from '../../../ui/feedback/drawer'
import { Facts } from '../../../ui/facts'
import { Money } from '../../../ui/money'
import { Tag } from '../../../ui/tag'
import { type Text, useText } from '../../../ui/text'
import styles from './machine.module.css'

type Audit = OutputOf<typeof getAuditFiles>
type Between = NonNullable<Audit['between']>

/** For whoever doubts a machine's figures: its own counters beside what orders and stock say. */
export function MachineAudit({ id }: { id: number }) {
  const t = useText('device')
  const { data, error, refetch } = useEndpoint(getAuditFiles, { id }, { errors: 'throw' })
  if (!data) return error ? <Failure failure={error} retry={() => void refetch()} /> : <div className="bone" />
  if (data.reads.length === 0) return <p className="quiet">{t('audit.none')}</p>
  return (
    <div className={styles.live}>
      {data.between ? <Comparison between={data.between} /> : <p className="quiet">{t('audit.single')}</p>}
      <Section title={t('audit.files')} note={t('audit.files.help')}>
        <ul className={styles.wire}>
          {data.reads.map((read) => (
            <FileLine key={read.id} read={read} t={t} />
          ))}
        </ul>
      </Section>
    </div>
  )
}

function Comparison({ between }: { between: Between }) {
  const t = useText('device')
  const { from, to, lines, cash, cashOrderedFen, cashless, cashInFen } = between
  const counted = lines.filter((line) => line.counted !== null)
  const apart = counted.filter(isApart)
  return (
    <Section
      title={apart.length === 0 ? t('audit.agree') : t('audit.apart', { count: apart.length })}
      note={
        <>
          <When at={from} /> – <When at={to} />
        </>
      }
    >
      <Facts
        facts={[
          { label: t('audit.cash'), value: cash && <Money fen={cash.fen} /> },
          { label: t('audit.cashOrdered'), value: <Money fen={cashOrderedFen} /> },
          { label: t('audit.cashless'), value: cashless && <Money fen={cashless.fen} /> },
          { label: t('audit.cashIn'), value: cashInFen === null ? null : <Money fen={cashInFen} /> },
        ]}
      />
      <ul className={styles.wire}>
        {[...apart, ...counted.filter((line) => !isApart(line))].map((line) => (
          <SlotLine key={line.slot} line={line} t={t} />
        ))}
      </ul>
    </Section>
  )
}

type Line = Between['lines'][number]

/** Prices are compared where there is a count to stand beside. */
const isApart = (line: Line): boolean => isCountApart(line) || (line.counted !== null && isPriceApart(line))

function SlotLine({ line, t }: { line: Line; t: Text<'device'> }) {
  const { slot, productName, machinePriceFen, priceFen, counted, ordered, moved } = line
  const figures = { counted: counted?.count ?? 0, ordered: ordered.count, moved }
  return (
    <li>
      <span>
        {slot} {productName}
      </span>
      <Tag
        tone={isApart(line) ? 'warn' : 'good'}
        word={isApart(line) ? t('audit.line.apart') : t('audit.line.agree')}
        hint={t('audit.line.help')}
      />
      <span className={styles.wireWhen}>{counted && <Money fen={counted.fen} />}</span>
      <span className={styles.wireNote}>
        {t('audit.line.counts', figures)}
        {machinePriceFen !== null && priceFen !== null && isPriceApart(line) && (
          <>
            {' · '}
            {t('audit.line.price')} <Money fen={machinePriceFen} /> / <Money fen={priceFen} />
          </>
        )}
      </span>
    </li>
  )
}

function FileLine({ read, t }: { read: Audit['reads'][number]; t: Text<'device'> }) {
  const { kind, readAt, fault } = read
  return (
    <li>
      <span>{t(`audit.kind.${kind}`)}</span>
      {fault ? (
        <Tag tone="bad" word={t(`audit.fault.${fault}`)} hint={t(`audit.fault.${fault}.help`)} />
      ) : (
        <Tag tone="good" word={t('audit.good')} hint={t('audit.good.help')} />
      )}
      <span className={styles.wireWhen}>
        <Ago at={readAt} />
      </span>
      <span className={styles.wireNote}>{noted(read, t).join(' · ')}</span>
    </li>
  )
}

/** What is told beside the sales: who reads it looks for what the controller met with. */
function noted(read: Audit['reads'][number], t: Text<'device'>): string[] {
  const { epoch, paidCount, testCount, freeCount, powerCuts, events } = read
  const some = (key: 'tests' | 'free' | 'powerCuts', count: number | null) =>
    count ? [t(`audit.${key}`, { count: countText(count) })] : []
  return [
    ...(paidCount === null ? [] : [t('audit.sold', { count: countText(paidCount) })]),
    ...some('tests', testCount),
    ...some('free', freeCount),
    ...some('powerCuts', powerCuts),
    ...events.map(({ id, sinceInit, isActive }) =>
      t(isActive ? 'audit.eventLasts' : 'audit.event', { id, count: countText(sinceInit) }),
    ),
    ...(epoch > 1 ? [t('audit.epoch', { epoch })] : []),
  ]
}
