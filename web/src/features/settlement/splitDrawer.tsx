import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { moneyText } from '@aisle/contract/kernel/text'
import {
  approveSplitRelease,
  getSplit,
  listSplitReturns,
  listSplits,
  listSplitsByDay,
  listSplitsByReceiver,
  refuseSplitRelease,
  releaseSplitLine,
  sendSplitAgain,
  splitFields,
  type SplitLine,
  splitLineFields,
  splitReturnFields,
  writeOffSplitReturn,
} from '@aisle/contract/settlement/split'
import { splitLineState, splitReturnState, splitState } from '@aisle/contract/settlement/splitStates'
import { CommandButton } from '../../admin/commandButton'
import { ScreenLink, ScreenLinks } from '../../admin/fields/ref'
import { StateCell } from '../../admin/fields/state'
import { When } from '../../admin/fields/time'
import { type DrawerRow, RowDrawer } from '../../admin/rowDrawer'
import { useEndpoint } from '../../live/query'
import { useSession } from '../../live/session'
import { Entries } from '../../shelf/entries'
import { Facts } from '../../ui/facts'
import { Section } from '../../ui/feedback/drawer'
import { Money } from '../../ui/money'
import { useLanguage, useText } from '../../ui/text'
import styles from './settlement.module.css'

type Detail = OutputOf<typeof getSplit>
const changed = [getSplit, listSplits, listSplitsByReceiver, listSplitsByDay, listSplitReturns] as const

/** What an order gives others, how each share ended, what came back, and what was posted. */
export function SplitDrawer({ id }: DrawerRow) {
  const t = useText('settlement')
  const result = useEndpoint(getSplit, { id }, { errors: 'throw' })
  return (
    <RowDrawer
      result={result}
      title={({ orderNo }) => orderNo}
      head={({ state }) => <StateCell value={state} field={splitFields.state} t={t} />}
      actions={(split) => (
        <CommandButton
          endpoint={sendSplitAgain}
          verb="sendSplitAgain"
          t={t}
          target={{ id: split.id }}
          tone="main"
          isEnabled={splitState.can(split.state, 'again')}
          changes={changed}
        />
      )}
    >
      {(split) => (
        <>
          <Section title={t('section.splitLines')}>
            <ul className={styles.bookLines}>
              {split.lines.map((line) => (
                <Line key={line.id} line={line} />
              ))}
            </ul>
          </Section>
          <Told split={split} />
          <Section title={t('section.entries')}>
            {split.entries.length === 0 && <p className="quiet">{t('split.noEntries')}</p>}
            <Entries entries={split.entries} />
          </Section>
        </>
      )}
    </RowDrawer>
  )
}

function Told({ split }: { split: Detail }) {
  const t = useText('settlement')
  return (
    <>
      <Facts
        facts={[
          { label: t('field.merchantName'), value: split.merchantName },
          { label: t('field.provider'), value: t(`method.${split.provider}`) },
          { label: t('field.paidFen'), value: <Money fen={split.paidFen} /> },
          { label: t('field.baseFen'), value: <Money fen={split.baseFen} /> },
          { label: t('field.frozenSince'), value: <When at={split.frozenSince} /> },
          { label: t('field.madeAt'), value: <When at={split.madeAt} /> },
          { label: t('field.detail'), value: split.detail },
        ]}
      />
      <ScreenLinks
        to={[
          ['jygl/ddgl', { orderNo: split.orderNo }],
          ['cwgl/cwjs', { open: String(split.settlementId) }],
          ['cfgl/yhfzsz', { open: String(split.ruleId) }],
        ]}
      />
    </>
  )
}

function Line({ line }: { line: SplitLine }) {
  const t = useText('settlement')
  const language = useLanguage()
  const money = (fen: number) => moneyText(fen, language)
  const { amountFen, cutFen, deductedFen, code, requestNo, proposedBy, reason } = line
  return (
    <li>
      <ScreenLink screen="cfgl/yhfzsz" search={{ part: 'receivers', open: String(line.receiverId) }}>
        {line.name}
      </ScreenLink>
      <strong>
        <Money fen={amountFen - cutFen} />
      </strong>
      <StateCell value={line.state} field={splitLineFields.state} t={t} />
      {code && <span>{code}</span>}
      {deductedFen > 0 && <small>{t('split.deducted', { fen: money(deductedFen) })}</small>}
      {cutFen > 0 && <small>{t('split.cut', { fen: money(cutFen) })}</small>}
      {requestNo && <small>{t('split.requestNo', { no: requestNo })}</small>}
      {proposedBy && <small>{t('split.proposed', { name: proposedBy, reason: reason ?? '' })}</small>}
      {line.returns.map((each) => (
        <div key={each.id}>
          <StateCell value={each.state} field={splitReturnFields.state} t={t} />{' '}
          <Money fen={each.amountFen - each.settledFen} />
          {splitReturnState.can(each.state, 'writeOff') && (
            <CommandButton
              endpoint={writeOffSplitReturn}
              verb="writeOffSplitReturn"
              t={t}
              target={{ id: each.id }}
              fields={splitReturnFields}
              changes={changed}
            />
          )}
        </div>
      ))}
      <LineVerbs line={line} />
    </li>
  )
}

function LineVerbs({ line }: { line: SplitLine }) {
  const t = useText('settlement')
  const language = useLanguage()
  const userid = useSession()?.userid
  const vars = { name: line.name, amount: moneyText(line.amountFen - line.cutFen, language) }
  const common = { t, target: { id: line.id }, vars, changes: changed, fields: splitReturnFields }
  if (splitLineState.is(line.state, 'failed')) {
    return <CommandButton {...common} endpoint={releaseSplitLine} verb="releaseSplitLine" />
  }
  if (!splitLineState.is(line.state, 'proposed')) return null
  return (
    <>
      <CommandButton
        {...common}
        endpoint={approveSplitRelease}
        verb="approveSplitRelease"
        isEnabled={String(line.proposedById) !== userid}
      />
      <CommandButton {...common} endpoint={refuseSplitRelease} verb="refuseSplitRelease" />
    </>
  )
}
