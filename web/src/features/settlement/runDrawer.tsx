import { runState } from '@aisle/contract/settlement/states'
import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { differenceFields } from '@aisle/contract/settlement/difference'
import { getRun, runFields } from '@aisle/contract/settlement/run'
import { countText } from '../../admin/fields/number'
import { ScreenLink } from '../../admin/fields/ref'
import { StateCell } from '../../admin/fields/state'
import { When } from '../../admin/fields/time'
import { type DrawerRow, RowDrawer } from '../../admin/rowDrawer'
import { useEndpoint } from '../../live/query'
import { Section } from '../../ui/feedback/drawer'
import { Facts } from '../../ui/facts'
import { Money } from '../../ui/money'
import { Tag } from '../../ui/tag'
import { useText } from '../../ui/text'
import { RunVerbs } from './runVerbs'
import styles from './settlement.module.css'

export type RunDetail = OutputOf<typeof getRun>

/** Both sides of a day, what differs, its files, and what closing it has settled. */
export function RunDrawer({ id }: DrawerRow) {
  const t = useText('settlement')
  const result = useEndpoint(getRun, { id }, { errors: 'throw' })
  return (
    <RowDrawer
      result={result}
      title={({ day, provider }) => `${day} ${t(`provider.${provider}`)}`}
      head={(run) => (
        <div className="tags">
          <StateCell value={run.light} field={runFields.light} t={t} />
          <StateCell value={run.state} field={runFields.state} t={t} />
          <StateCell value={run.fundsMode} field={runFields.fundsMode} t={t} />
        </div>
      )}
      actions={(run) => <RunVerbs run={run} />}
    >
      {(run) => (
        <>
          <Section title={t('section.sides')}>
            <Sides run={run} />
          </Section>
          <Section title={t('section.differences')}>
            <Differences run={run} />
          </Section>
          <RunFacts run={run} />
          <Section title={t('section.files')}>
            <Files run={run} />
          </Section>
          {run.settlements.length > 0 && (
            <Section title={t('section.settled')}>
              <Settled run={run} />
            </Section>
          )}
        </>
      )}
    </RowDrawer>
  )
}

/** Counts and amounts side by side; what is equal says so. */
function Sides({ run: { ours, theirs, ourBalanceFen, theirBalanceFen, state } }: { run: RunDetail }) {
  const t = useText('settlement')
  const hasBill = !runState.is(state, 'waiting')
  const lines = [
    { name: 'count', our: ours.count, their: theirs.count, isMoney: false },
    { name: 'fen', our: ours.fen, their: theirs.fen, isMoney: true },
    { name: 'refundCount', our: ours.refundCount, their: theirs.refundCount, isMoney: false },
    { name: 'refundFen', our: ours.refundFen, their: theirs.refundFen, isMoney: true },
  ] as const
  const balance = { name: 'balance', our: ourBalanceFen ?? 0, their: theirBalanceFen ?? 0, isMoney: true } as const
  const shown = theirBalanceFen === null ? lines : [...lines, balance]
  const value = (amount: number, isMoney: boolean) => (isMoney ? <Money fen={amount} /> : countText(amount))
  return (
    <div className={styles.bookScroll}>
      <table className={styles.bookTable}>
        <thead>
          <tr>
            <td />
            <th scope="col">{t('section.ours')}</th>
            <th scope="col">{t('section.theirs')}</th>
            <th scope="col">{t('side.gap')}</th>
          </tr>
        </thead>
        <tbody>
          {shown.map(({ name, our, their, isMoney }) => (
            <tr key={name}>
              <th scope="row">{t(`side.${name}`)}</th>
              <td>{value(our, isMoney)}</td>
              <td>{hasBill ? value(their, isMoney) : '–'}</td>
              <td>
                {!hasBill && '–'}
                {hasBill && our === their && <span className="quiet">{t('side.agrees')}</span>}
                {hasBill && our !== their && <strong className={styles.bookGap}>{value(their - our, isMoney)}</strong>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Differences({ run: { differences } }: { run: RunDetail }) {
  const t = useText('settlement')
  if (differences.length === 0) return <p className="quiet">{t('section.differences.empty')}</p>
  return (
    <ul className={styles.bookLines}>
      {differences.map(({ id, kind, state, ourFen, theirFen, orderNo }) => (
        <li key={id}>
          <ScreenLink screen="xtgl/rjs" search={{ part: 'differences', open: String(id) }}>
            {t(`differenceKind.${kind}`)}
          </ScreenLink>
          <StateCell value={state} field={differenceFields.state} t={t} />
          <Money fen={(theirFen ?? 0) - (ourFen ?? 0)} />
          {orderNo && <small>{orderNo}</small>}
        </li>
      ))}
    </ul>
  )
}

function RunFacts({ run }: { run: RunDetail }) {
  const t = useText('settlement')
  const { matchedAt, closedAt, state } = run
  const byWhom = runState.is(state, 'closed') ? (run.closedBy ?? t('fact.byItself')) : null
  return (
    <Section title={t('section.decision')}>
      <Facts
        facts={[
          { label: t('field.merchantName'), value: run.merchantName },
          { label: t('field.channelNo'), value: run.channelNo },
          { label: t('field.feeFen'), value: <Money fen={run.feeFen} /> },
          { label: t('field.netFen'), value: <Money fen={run.netFen} /> },
          { label: t('fact.payoutFen'), value: run.payoutFen === 0 ? null : <Money fen={run.payoutFen} /> },
          { label: t('fact.tries'), value: run.tries === 0 ? null : countText(run.tries) },
          { label: t('fact.lastCode'), value: run.lastCode },
          { label: t('field.matchedAt'), value: matchedAt && <When at={matchedAt} /> },
          { label: t('fact.asked'), value: run.askedBy },
          { label: t('fact.closed'), value: byWhom },
          { label: t('field.closedAt'), value: closedAt && <When at={closedAt} /> },
        ]}
      />
    </Section>
  )
}

function Files({ run: { files } }: { run: RunDetail }) {
  const t = useText('settlement')
  if (files.length === 0) return <p className="quiet">{t('section.files.empty')}</p>
  return (
    <ul className={styles.bookLines}>
      {files.map(({ id, kind, source, name, hash, lineCount, importedAt, importedBy }) => (
        <li key={id}>
          <strong>{t(`file.${kind}`)}</strong>
          <span>{name}</span>
          <Tag tone="idle" word={t(`file.${source}`)} />
          <span>{t('file.lines', { count: countText(lineCount) })}</span>
          <small>
            {importedBy} <When at={importedAt} />
          </small>
          <code className={styles.bookHash} title={hash}>
            {hash.slice(0, 16)}…
          </code>
        </li>
      ))}
    </ul>
  )
}

function Settled({ run: { settlements, day } }: { run: RunDetail }) {
  const t = useText('settlement')
  return (
    <ul className={styles.bookLines}>
      {settlements.map(({ id, merchantName, orders, netFen, feeFen }) => (
        <li key={id}>
          <ScreenLink screen="xtgl/rjs" search={{ part: 'settlements', from: day, to: day }}>
            {merchantName}
          </ScreenLink>
          <ScreenLink screen="jygl/ddgl" search={{ settlementId: String(id) }}>
            {`${t('field.orders')} ${countText(orders)}`}
          </ScreenLink>
          <span>
            {t('field.netFen')} <Money fen={netFen} />
          </span>
          <small>
            {t('field.feeFen')} <Money fen={feeFen} />
          </small>
        </li>
      ))}
    </ul>
  )
}
